#!/bin/sh
# Renders the cloud into `rendered`, which is committed and reviewed. What is given, such as
# `--allow-removal cinder`, goes to `strata stage`.
set -eu
cd "$(dirname "$0")"
for tool in strata kustomize; do
  command -v "$tool" >/dev/null || { echo "$tool is not on the PATH" >&2; exit 1; }
done
strata validate base
# Into a file first: in a pipe, a kustomize that fails would go unnoticed.
stream=$(mktemp)
trap 'rm -f "$stream"' EXIT
kustomize build --enable-alpha-plugins --enable-exec overlays/{{name}} >"$stream"
strata stage "$stream" --out rendered "$@"
