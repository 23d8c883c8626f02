#!/bin/sh
# Brings a new OpenBao to the point where External Secrets can use it. docs/openbao.md tells the whole way.
#
#   flux/openbao.sh init FILE     once: makes the unseal keys and the first token, and writes them to FILE
#   flux/openbao.sh unseal        after every start of a pod: asks for unseal keys
#   flux/openbao.sh configure     once, and again without harm: the mount, the policy and the role
#   flux/openbao.sh revoke        at the end: makes the first token worthless
#
# Keys and tokens go through standard input and never stand in an argument, where others could read them.
# Settings, as in the spec: NAMESPACE, MOUNT and ROLE of platform.openbao, PREFIX of secrets.store.
set -eu

NAMESPACE=${NAMESPACE:-openbao}
MOUNT=${MOUNT:-kv-v2}
ROLE=${ROLE:-external-secrets}
PREFIX=${PREFIX:-openstack}

fail() {
  echo "openbao.sh: $1" >&2
  exit 1
}

# bao POD ARGUMENTS: runs the client inside a pod.
bao() {
  pod=$1
  shift
  kubectl exec --stdin --namespace "$NAMESPACE" "$pod" -- bao "$@"
}

# as_root ARGUMENTS: the same with the token, which is the first line that the pod reads.
as_root() {
  { printf '%s\n' "$TOKEN"; cat; } | kubectl exec --stdin --namespace "$NAMESPACE" openbao-0 -- \
    sh -c 'read -r BAO_TOKEN && export BAO_TOKEN && exec bao "$@"' bao "$@"
}

ask() {
  printf '%s: ' "$1" >&2
  if [ -t 0 ]; then stty -echo; fi
  read -r answer || answer=
  if [ -t 0 ]; then stty echo; echo >&2; fi
  [ -n "$answer" ] || fail "nothing was entered"
}

# `bao status` ends with 2 where it is sealed, so its words count and not its end.
says() {
  bao "$1" status -format=json </dev/null 2>/dev/null | tr -d ' \n' | grep -q "\"$2\":$3"
}

pods() {
  kubectl get pods --namespace "$NAMESPACE" --selector app.kubernetes.io/name=openbao,component=server \
    --output 'jsonpath={.items[*].metadata.name}'
}

init() {
  file=${1:-}
  [ -n "$file" ] || fail "name the file that the keys are written to: flux/openbao.sh init FILE"
  [ ! -e "$file" ] || fail "$file exists; it may hold the only keys there are, so it is left alone"
  says openbao-0 initialized false || fail "openbao-0 cannot be asked, or has keys already: they are made only once"
  umask 077
  # The file is there before the keys are: keys that cannot be written down would be lost.
  : >"$file"
  bao openbao-0 operator init -key-shares=5 -key-threshold=3 -format=json </dev/null >"$file"
  echo "The keys are in $file and nowhere else. Whoever has three of the five reads every secret; without three" >&2
  echo "nobody ever does. Give them to five people, keep the token for \`configure\`, and delete the file." >&2
}

unseal() {
  for pod in $(pods); do
    while says "$pod" sealed true; do
      ask "an unseal key for $pod"
      printf '%s' "$answer" | bao "$pod" write sys/unseal key=- >/dev/null
    done
    echo "$pod is open" >&2
  done
}

configure() {
  ask "the token"
  TOKEN=$answer
  as_root secrets list -format=json </dev/null | grep -q "\"$MOUNT/\"" ||
    as_root secrets enable -path="$MOUNT" -version=2 kv </dev/null
  as_root auth list -format=json </dev/null | grep -q '"kubernetes/"' ||
    as_root auth enable kubernetes </dev/null
  as_root write auth/kubernetes/config kubernetes_host=https://kubernetes.default.svc </dev/null
  # No right to delete: nothing that Strata renders ever takes a secret away.
  as_root policy write "$ROLE" - <<POLICY
path "$MOUNT/data/$PREFIX/*" { capabilities = ["create", "read", "update"] }
path "$MOUNT/metadata/$PREFIX/*" { capabilities = ["create", "read", "update", "list"] }
POLICY
  as_root write "auth/kubernetes/role/$ROLE" bound_service_account_names=external-secrets \
    bound_service_account_namespaces=external-secrets policies="$ROLE" ttl=1h </dev/null
}

revoke() {
  ask "the token"
  TOKEN=$answer
  as_root token revoke -self </dev/null
}

case ${1:-} in
init | unseal | configure | revoke)
  command=$1
  shift
  "$command" "$@"
  ;;
*) fail "write init FILE, unseal, configure or revoke" ;;
esac
