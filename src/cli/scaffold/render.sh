#!/bin/sh
# Renders the cloud into `rendered`, which is committed and reviewed. What is given, such as
# `--allow-removal cinder`, goes to `strata stage`.
set -eu
cd "$(dirname "$0")"
command -v strata >/dev/null || { echo "strata is not on the PATH" >&2; exit 1; }
command -v kustomize >/dev/null || {
  echo "kustomize is not on the PATH: install it" >&2
  echo "without the overlays, Strata renders alone: strata render base --out rendered" >&2
  exit 1
}
strata validate base
# Into a file first: in a pipe, a kustomize that fails would go unnoticed.
stream=$(mktemp)
trap 'rm -f "$stream"' EXIT
kustomize build --enable-alpha-plugins --enable-exec overlays/{{name}} >"$stream"
strata stage "$stream" --out rendered "$@"
