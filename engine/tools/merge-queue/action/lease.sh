#!/usr/bin/env bash
# Acquires, releases or withdraws the lease of a shared resource. Needs bash 3.2 or later, curl, and git where no priority is given.
# Everything comes by the environment, so that nothing of a branch's name is ever run.
set -euo pipefail

pending_seconds=${LEASE_PENDING_SECONDS:-15}
error_seconds=${LEASE_ERROR_SECONDS:-5}
release_attempts=${LEASE_RELEASE_ATTEMPTS:-60}
# For how long a service is waited for that has never answered: its address may be wrong.
silence_seconds=${LEASE_SILENCE_SECONDS:-300}
retry_after_max=600
request_seconds=40

base_ref=${LEASE_BASE_REF#refs/heads/}
head_ref=${LEASE_HEAD_REF#refs/heads/}
provider_url=
deadline=
child=
answered=false
curl_code=0
code=000
body=
retry_after=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runners take commands from lines that begin with two colons: what others have written stays in one line.
fail() {
  local text=${1//'%'/'%25'}
  text=${text//$'\r'/'%0D'}
  echo "::error::${text//$'\n'/'%0A'}" >&2
  exit 1
}

output() {
  printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# ---- texts ----

# A string of JSON. Names of branches have no control characters.
quoted() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# For a quoted value of a configuration of curl.
escaped() {
  local text=${1//\\/\\\\}
  printf '%s' "${text//\"/\\\"}"
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

# The names by which the service knows this job, as the first fields of a body.
identity() {
  printf '"head_sha":%s' "$(quoted "$LEASE_HEAD_SHA")"
  [[ -z ${LEASE_RUN_ID:-} ]] || printf ',"run_id":%s' "$(quoted "$LEASE_RUN_ID")"
  [[ -z ${LEASE_RUN_ATTEMPT:-} ]] || printf ',"run_attempt":%s' "$LEASE_RUN_ATTEMPT"
  [[ -z ${LEASE_JOB:-} ]] || printf ',"job":%s' "$(quoted "$LEASE_JOB")"
}

# ---- requests ----

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

# ask WHAT BODY: puts the status of HTTP into $code, 000 if there was none, and the answer into $body. Signals end the wait at once.
ask() {
  curl_code=0
  : >"$work/headers"
  : >"$work/body"
  {
    # By standard input, since other users of the machine see command lines.
    if [[ -n ${LEASE_USERNAME:-} ]]; then
      printf 'user = "%s:%s"\n' "$(escaped "$LEASE_USERNAME")" "$(escaped "${LEASE_PASSWORD:-}")"
    fi
  } | curl --config - --silent --show-error --globoff --path-as-is --connect-timeout 10 --max-time "$request_seconds" --request POST \
    --header 'Content-Type: application/json' --header 'Accept: text/plain' --data-binary "$2" --dump-header "$work/headers" \
    --output "$work/body" --write-out '%{http_code}' "$provider_url/$1" >"$work/code" &
  child=$!
  wait "$child" || curl_code=$?
  child=
  code=000
  body=
  retry_after=
  if ((curl_code == 0)); then
    answered=true
    code=$(<"$work/code")
    body=$(<"$work/body")
    retry_after=$(sed -n 's/^[Rr][Ee][Tt][Rr][Yy]-[Aa][Ff][Tt][Ee][Rr]:[[:space:]]*\([0-9]\{1,6\}\)[[:space:]]*$/\1/p' "$work/headers")
    retry_after=${retry_after##*$'\n'}
  fi
}

# Whether the same request may get another answer later. The service says so itself; what stands in front of it does by its status.
may_repeat() {
  case $(field repeat) in
    yes) return 0 ;;
    no) return 1 ;;
  esac
  case $code in
    000 | 408 | 429 | 500 | 502 | 503 | 504) return 0 ;;
    *) return 1 ;;
  esac
}

# What repeating does not change: no such protocol, address or host, or no certificate to trust.
check_address() {
  case $curl_code in
    1 | 2 | 3 | 51 | 58 | 59 | 60 | 77) ;;
    5 | 6) # may be a disturbance once the host was found
      [[ $answered == false && $LEASE_MODE == acquire ]] || return 0
      ;;
    *) return 0 ;;
  esac
  fail "curl ended with $curl_code, and repeating does not help: check the input url '$LEASE_URL', its host and its certificate"
}

refused() {
  local error
  error=$(field error)
  if [[ -n $error ]]; then
    fail "$1 was refused with $code, $error: $(field message). $(field rule)"
  fi
  fail "$1 was answered with $code: ${body:0:500}"
}

# pause SECONDS: not past the deadline. Signals end it at once.
pause() {
  local seconds=$1 left
  if [[ -n $deadline ]]; then
    left=$((deadline - SECONDS))
    ((left > 0)) || return 0
    ((${seconds%.*} < left)) || seconds=$left
  fi
  sleep "$seconds" >/dev/null 2>&1 &
  child=$!
  wait "$child" || true
  child=
}

pause_after_error() {
  local seconds=$error_seconds
  if [[ -n $retry_after ]]; then
    seconds=$((10#$retry_after))
    ((seconds >= 1)) || seconds=1
    ((seconds <= retry_after_max)) || seconds=$retry_after_max
  fi
  echo "No answer ($code, curl $curl_code), asking again in $seconds s"
  pause "$seconds"
}

# ---- acquiring ----

# How many commits the run brings: with more of them, a run includes those of the others.
commits_ahead() {
  local base
  if [[ $(git rev-parse --is-shallow-repository) != false ]]; then
    fail "the checkout has no full history, from which the priority is counted: give actions/checkout fetch-depth: 0, or this action a priority"
  fi
  for base in "refs/remotes/origin/$base_ref" "refs/heads/$base_ref" ''; do
    [[ -n $base ]] || fail "branch $base_ref is not in the checkout: give actions/checkout fetch-depth: 0, or this action a priority"
    ! git rev-parse --verify --quiet "$base^{commit}" >/dev/null || break
  done
  if [[ ! $LEASE_HEAD_SHA =~ ^[0-9a-f]{4,64}$ ]] || ! git rev-parse --verify --quiet "$LEASE_HEAD_SHA^{commit}" >/dev/null; then
    fail "commit $LEASE_HEAD_SHA is not in the checkout"
  fi
  git rev-list --count "$base..$LEASE_HEAD_SHA"
}

checked_priority() {
  if [[ -n ${LEASE_PRIORITY:-} ]]; then
    [[ $LEASE_PRIORITY =~ ^[1-9][0-9]{0,9}$ ]] || fail "priority is '$LEASE_PRIORITY', it must be a whole number from 1 to 1000000000"
    printf '%s' "$LEASE_PRIORITY"
    return
  fi
  local count
  # bash does not end a substitution at its first failure.
  count=$(commits_ahead) || exit 1
  ((count > 0)) || fail "$LEASE_HEAD_SHA has no commits ahead of $base_ref"
  printf '%s' "$count"
}

set_deadline() {
  [[ -n ${LEASE_TIMEOUT:-} ]] || return 0
  [[ $LEASE_TIMEOUT =~ ^([0-9]{1,6})(s|m|h)$ ]] || fail "timeout is '$LEASE_TIMEOUT', it must be a number with s, m or h behind it, such as 45m"
  local seconds=$((10#${BASH_REMATCH[1]}))
  case ${BASH_REMATCH[2]} in
    m) seconds=$((seconds * 60)) ;;
    h) seconds=$((seconds * 3600)) ;;
  esac
  deadline=$((SECONDS + seconds))
}

# withdraw ATTEMPTS SECONDS: whether the service knows that this run waits no more.
withdraw() {
  local attempt
  deadline=
  request_seconds=$2
  for ((attempt = 1; attempt <= $1; attempt++)); do
    ask withdraw "{$(identity)}"
    if [[ $code == 200 ]]; then
      echo "Withdrawn"
      return 0
    fi
    may_repeat || return 1
    pause 1
  done
  return 1
}

# The runner kills what has not ended after ten seconds.
cancelled() {
  trap '' INT TERM HUP
  [[ -z $child ]] || kill "$child" 2>/dev/null || true
  echo "Cancelled"
  withdraw 2 3 || echo "The service was not told; it drops this run when it has not polled for its request TTL"
  exit "$1"
}

acquire() {
  local priority request first_asked requests=0
  set_deadline
  priority=$(checked_priority)
  request="{$(identity),\"head_ref\":$(quoted "$head_ref"),\"priority\":$priority"
  [[ -z ${LEASE_PULL_REQUEST:-} ]] || request+=",\"pull_request\":$LEASE_PULL_REQUEST"
  request+="}"
  trap 'cancelled 130' INT
  trap 'cancelled 143' TERM
  trap 'cancelled 129' HUP
  echo "Acquiring the lease of $LEASE_REPOSITORY $base_ref with priority $priority"
  first_asked=$SECONDS
  while true; do
    ask acquire "$request"
    requests=$((requests + 1))
    if [[ $code == 200 ]]; then
      on_status "$(field status)"
    else
      check_address
      may_repeat || refused "the request"
      # One request alone tells nothing of an address, however long the machine took for it.
      if [[ $answered == false ]] && ((requests > 1 && SECONDS - first_asked >= silence_seconds)); then
        fail "the service has not answered one of $requests requests in $((SECONDS - first_asked)) s: check the input url '$LEASE_URL'"
      fi
      pause_after_error
    fi
    if [[ -n $deadline ]] && ((SECONDS >= deadline)); then
      withdraw 3 "$request_seconds" || true
      fail "the lease was not acquired within $LEASE_TIMEOUT"
    fi
  done
}

on_status() {
  local numbers
  case $1 in
    acquired)
      output status acquired
      output token "$(field token)"
      output stacked "$(field stacked_json)"
      numbers=$(field stacked_pull_requests)
      output stacked_pull_requests "[${numbers// /,}]"
      echo "Acquired with token $(field token)"
      exit 0
      ;;
    completed)
      output status completed
      echo "Another run has done the work"
      exit 0
      ;;
    pending)
      echo "Pending, place $(field place), waits for $(field waits_for)"
      pause "$pending_seconds"
      ;;
    withdrawn) fail "this run was withdrawn" ;;
    failure) fail "this run has failed, or held the lease for longer than it may" ;;
    *) fail "the answer is not understood: ${body:0:500}" ;;
  esac
}

# ---- releasing ----

release() {
  if [[ ${LEASE_HELD:-} == completed ]]; then
    echo "Nothing to release: another run has done the work"
    return
  fi
  # Without a token the step that acquires was stopped, and may have been granted the lease without knowing it: it withdraws.
  local order=release status=failure request attempt
  [[ -n ${LEASE_TOKEN:-} ]] || order=withdraw
  [[ $order == withdraw || $LEASE_STATUS != success ]] || status=success
  request="{$(identity),\"status\":\"$status\"${LEASE_TOKEN:+,\"token\":$LEASE_TOKEN}}"
  for ((attempt = 1; attempt <= release_attempts; attempt++)); do
    ask "$order" "$request"
    if [[ $code == 200 ]]; then
      output status "$(field status)"
      if [[ $order == release ]]; then echo "Released with $status"; else echo "Withdrawn"; fi
      return
    fi
    if [[ $order == withdraw && $(field error) == queue-cleared ]]; then
      echo "Nothing to release: an operator cleared the queue"
      return
    fi
    check_address
    may_repeat || refused "the $order"
    pause_after_error
  done
  fail "the lease was not released: the service does not answer"
}

check() { # NAME VALUE: a number, or empty
  [[ $2 =~ ^[0-9]{0,18}$ ]] || fail "$1 is '$2', it must be a number"
}

[[ ${LEASE_URL:-} =~ ^https?://[^[:space:]?#]+$ ]] ||
  fail "url is '${LEASE_URL:-}', it must be http:// or https:// with a host, and no query; is the secret or variable set?"
check token "${LEASE_TOKEN:-}"
check run-attempt "${LEASE_RUN_ATTEMPT:-}"
check pull-request "${LEASE_PULL_REQUEST:-}"
provider_url=${LEASE_URL%/}/$(encoded "$LEASE_REPOSITORY/$base_ref")
case $LEASE_MODE in
  acquire) acquire ;;
  release) release ;;
  *) fail "mode is '$LEASE_MODE', it must be acquire or release" ;;
esac
