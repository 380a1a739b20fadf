#!/usr/bin/env bash
# Acquires or releases the lease of a shared resource. Needs bash, git and curl alone.
# Everything comes by the environment, so that nothing of a branch's name is ever run.
set -euo pipefail

pending_seconds=${LEASE_PENDING_SECONDS:-15}
error_seconds=${LEASE_ERROR_SECONDS:-5}
release_attempts=${LEASE_RELEASE_ATTEMPTS:-60}
base_ref=${LEASE_BASE_REF#refs/heads/}
head_ref=${LEASE_HEAD_REF#refs/heads/}

fail() {
  echo "::error::$1" >&2
  exit 1
}

output() {
  printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# A string of JSON. Names of branches have no control characters.
quoted() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# The value of a field that is a plain word or a number, of the request alone. The answers are of one line.
field() {
  sed -n 's/.*"request":{[^}]*"'"$1"'":"\{0,1\}\([A-Za-z0-9_-]*\).*/\1/p' <<<"$body"
}

# Puts the status of HTTP into $code, 000 for a transport error, and the answer into $body.
ask() {
  local answer
  local options=(--silent --show-error --max-time 40 --request POST --header 'Content-Type: application/json')
  if [[ -n ${LEASE_USERNAME:-} ]]; then
    # By standard input, since other users of the machine see command lines.
    answer=$(printf 'user = "%s:%s"\n' "$(escaped "$LEASE_USERNAME")" "$(escaped "${LEASE_PASSWORD:-}")" |
      curl --config - "${options[@]}" --data-binary "$2" --write-out '\n%{http_code}' "$provider_url/$1") || answer=$'\n000'
  else
    answer=$(curl "${options[@]}" --data-binary "$2" --write-out '\n%{http_code}' "$provider_url/$1") || answer=$'\n000'
  fi
  code=${answer##*$'\n'}
  body=${answer%$'\n'*}
}

# For a quoted value of a configuration of curl.
escaped() {
  local text=${1//\\/\\\\}
  printf '%s' "${text//\"/\\\"}"
}

# How many commits the run brings: with more of them, a run includes those of the others.
priority() {
  local base=$base_ref
  git rev-parse --verify --quiet "origin/$base^{commit}" >/dev/null && base=origin/$base
  git rev-parse --verify --quiet "$base^{commit}" >/dev/null ||
    fail "branch $base_ref is not in the checkout; actions/checkout needs fetch-depth: 0"
  git rev-list --count "$base..$LEASE_HEAD_SHA"
}

acquire() {
  local priority request
  priority=$(priority)
  ((priority > 0)) || fail "$LEASE_HEAD_SHA has no commits ahead of $base_ref"
  request="{\"head_sha\":$(quoted "$LEASE_HEAD_SHA"),\"head_ref\":$(quoted "$head_ref"),\"priority\":$priority}"
  echo "Acquiring the lease of $LEASE_REPOSITORY $base_ref with priority $priority"
  while true; do
    ask acquire "$request"
    case $code in
      200) on_status "$(field status)" ;;
      000 | 5??) # nobody answered, or nobody could
        echo "No answer ($code), asking again in $error_seconds s"
        sleep "$error_seconds"
        ;;
      *) fail "the request was refused ($code): $body" ;;
    esac
  done
}

on_status() {
  case $1 in
    acquired)
      output status acquired
      output token "$(field token)"
      output stacked "$(sed -n 's/.*"stacked_requests":\(\[[^]]*\]\).*/\1/p' <<<"$body")"
      echo "Acquired with token $(field token)"
      exit 0
      ;;
    completed)
      output status completed
      echo "Another run has done the work"
      exit 0
      ;;
    pending)
      echo "Pending, place $(field place)"
      sleep "$pending_seconds"
      ;;
    withdrawn) fail "this run was withdrawn" ;;
    failure) fail "this run has failed, or held the lease for longer than it may" ;;
    *) fail "the answer is not understood: $body" ;;
  esac
}

release() {
  if [[ $LEASE_HELD == completed ]]; then
    echo "Nothing to release: another run has done the work"
    return
  fi
  # Without a token the step that acquires was stopped, and may have been granted the lease without knowing it: it withdraws.
  local order=release status=failure
  [[ -n ${LEASE_TOKEN:-} ]] || order=withdraw
  [[ $order == withdraw || $LEASE_STATUS != success ]] || status=success
  local request="{\"head_sha\":$(quoted "$LEASE_HEAD_SHA"),\"status\":\"$status\"${LEASE_TOKEN:+,\"token\":$LEASE_TOKEN}}"
  for ((attempt = 1; attempt <= release_attempts; attempt++)); do
    ask "$order" "$request"
    case $code in
      200)
        output status "$(field status)"
        if [[ $order == release ]]; then echo "Released with $status"; else echo "Withdrawn"; fi
        return
        ;;
      000 | 5??)
        echo "No answer ($code), asking again in $error_seconds s"
        sleep "$error_seconds"
        ;;
      *) fail "the release was refused ($code): $body" ;;
    esac
  done
  fail "the lease was not released: the service does not answer"
}

[[ ${LEASE_TOKEN:-} =~ ^[0-9]*$ ]] || fail "token is not a number"
provider_url=${LEASE_URL%/}/$LEASE_REPOSITORY/$base_ref
case $LEASE_MODE in
  acquire) acquire ;;
  release) release ;;
  *) fail "mode is '$LEASE_MODE', it must be acquire or release" ;;
esac
