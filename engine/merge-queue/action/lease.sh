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

# The value of a field of the answer, which has one line "key: value" for each.
field() {
  local line
  while IFS= read -r line; do
    line=${line%$'\r'}
    if [[ $line == "$1: "* ]]; then
      printf '%s' "${line#"$1: "}"
      return
    fi
  done <<<"$body"
}

# A path for a URL: every byte but unreserved ones and the slash is percent-encoded.
encoded() {
  local LC_ALL=C text=$1 result='' byte i
  for ((i = 0; i < ${#text}; i++)); do
    byte=${text:i:1}
    case $byte in
      [a-zA-Z0-9._~/-]) result+=$byte ;;
      *)
        printf -v byte '%d' "'$byte"
        printf -v byte '%%%02X' "$((byte & 255))"
        result+=$byte
        ;;
    esac
  done
  printf '%s' "$result"
}

# Puts the status of HTTP into $code, 000 for a transport error, and the answer into $body.
ask() {
  local answer curl_code=0
  local options=(--silent --show-error --globoff --max-time 40 --request POST --header 'Content-Type: application/json'
    --header 'Accept: text/plain')
  if [[ -n ${LEASE_USERNAME:-} ]]; then
    # By standard input, since other users of the machine see command lines.
    answer=$(printf 'user = "%s:%s"\n' "$(escaped "$LEASE_USERNAME")" "$(escaped "${LEASE_PASSWORD:-}")" |
      curl --config - "${options[@]}" --data-binary "$2" --write-out '\n%{http_code}' "$provider_url/$1") || curl_code=$?
  else
    answer=$(curl "${options[@]}" --data-binary "$2" --write-out '\n%{http_code}' "$provider_url/$1") || curl_code=$?
  fi
  case $curl_code in
    0) ;;
    1 | 3 | 6 | 60) fail "curl ended with $curl_code, and repeating does not help: check the input url, its host and its certificate" ;;
    *) answer=$'\n000' ;;
  esac
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
      000 | 408 | 429 | 5??) # nobody answered, or nobody could
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
      output stacked "$(field stacked_json)"
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
  local request
  request="{\"head_sha\":$(quoted "$LEASE_HEAD_SHA"),\"status\":\"$status\"${LEASE_TOKEN:+,\"token\":$LEASE_TOKEN}}"
  for ((attempt = 1; attempt <= release_attempts; attempt++)); do
    ask "$order" "$request"
    case $code in
      200)
        output status "$(field status)"
        if [[ $order == release ]]; then echo "Released with $status"; else echo "Withdrawn"; fi
        return
        ;;
      000 | 408 | 429 | 5??)
        echo "No answer ($code), asking again in $error_seconds s"
        sleep "$error_seconds"
        ;;
      *) fail "the release was refused ($code): $body" ;;
    esac
  done
  fail "the lease was not released: the service does not answer"
}

[[ ${LEASE_TOKEN:-} =~ ^[0-9]*$ ]] || fail "token is not a number"
[[ ${LEASE_URL:-} =~ ^https?://. ]] || fail "url is '${LEASE_URL:-}', it must start with http:// or https://; is the secret or variable set?"
provider_url=${LEASE_URL%/}/$(encoded "$LEASE_REPOSITORY/$base_ref")
case $LEASE_MODE in
  acquire) acquire ;;
  release) release ;;
  *) fail "mode is '$LEASE_MODE', it must be acquire or release" ;;
esac
