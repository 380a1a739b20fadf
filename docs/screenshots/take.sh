#!/usr/bin/env bash
# Takes the pictures of the pages: take.sh [quickstart|operator|merge-queue]..., all of them by default, into docs/screenshots or the
# folder in INTO. Needs what the tests of the build need, python3 for the quickstart, and chromium and curl for the others.
# MAVEN_ARGS_OF_PICTURES is added to each call of Maven.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
into=${INTO:-$root/docs/screenshots}
work=$(mktemp -d)
server=
mkdir -p "$into"
cd "$root"

stop() {
  [ -n "$server" ] || return 0
  if [ -p "$work/input" ]; then
    exec 3>&- # its input ends, and with it what is served
  else
    kill "$server"
  fi
  wait "$server" || true
  server=
}
trap 'stop; rm -rf "$work"' EXIT

until_served() { # URL
  for _ in $(seq 120); do
    curl --silent --fail --output /dev/null "$1" && return
    sleep 1
  done
  echo "nothing is served at $1" >&2
  cat "$work/server.log" >&2
  exit 1
}

picture() { # NAME URL WIDTH,HEIGHT light|dark
  local scheme=1
  [ "$4" = dark ] && scheme=0
  timeout 120 "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$work/chromium-$1" \
    --blink-settings=preferredColorScheme=$scheme --window-size="$3" --virtual-time-budget=3000 \
    --screenshot="$into/$1.png" "$2" >"$work/$1.log" 2>&1
  test -s "$into/$1.png"
  echo "$into/$1.png"
}

# The story without the documents at its end.
quickstart() {
  local command="mvn -pl docs/examples -am test-compile exec:java"
  # shellcheck disable=SC2086
  mvn -q -B ${MAVEN_ARGS_OF_PICTURES:-} -pl docs/examples -am test-compile exec:java 2>/dev/null >"$work/quickstart.txt"
  sed -n '/^Two services/,/^The clock document/p' "$work/quickstart.txt" | sed '$d' |
    python3 docs/screenshots/terminal.py "$command" >"$into/quickstart.svg"
  echo "$into/quickstart.svg"
}

operator() {
  local url=http://127.0.0.1:7118
  mkfifo "$work/input"
  # shellcheck disable=SC2086
  mvn -q -B ${MAVEN_ARGS_OF_PICTURES:-} -pl engine/tools/operator exec:java -Dexec.skip=false -Dexec.classpathScope=test \
    -Dexec.mainClass=dev.leasehold.operator.Showcase -Dexec.args=7118 <"$work/input" >"$work/server.log" 2>&1 &
  server=$!
  exec 3>"$work/input"
  until_served "$url/"
  sleep 8
  picture operator-light "$url/" 1280,1250 light
  picture operator-dark "$url/" 1280,1250 dark
  picture operator-phone "$url/" 500,1900 light
  stop
}

request() { # PROVIDER acquire|release JSON
  curl --silent --fail --output /dev/null --retry 10 --retry-all-errors --header 'Content-Type: application/json' --data "$3" "$merge_queue/$1/$2"
}
acquire() { # PROVIDER HALF-A-SHA REF PRIORITY
  local sha=$2$2${2:0:8}
  request "$1" acquire "{\"head_sha\": \"$sha\", \"head_ref\": \"gh-readonly-queue/$3-$sha\", \"priority\": $4, \"run_id\": \"70${3: -3}\"}"
}
release() { # PROVIDER HALF-A-SHA REF STATUS TOKEN
  request "$1" release "{\"head_sha\": \"$2$2${2:0:8}\", \"run_id\": \"70${3: -3}\", \"status\": \"$4\", \"token\": $5}"
}

merge_queue() {
  merge_queue=http://127.0.0.1:8093
  cat >"$work/config.yaml" <<'YAML'
providers:
  - {owner: acme, repo: shop, base-ref: main, expected-requests: 3, maximum-hold: 45m, request-ttl: 30m, release-token: optional}
  - {owner: acme, repo: shop, base-ref: release/2.4, expected-requests: 4, request-ttl: 30m, release-token: optional}
  - {owner: acme, repo: billing, base-ref: main}
YAML
  # shellcheck disable=SC2086
  mvn -q -B ${MAVEN_ARGS_OF_PICTURES:-} -pl engine/tools/merge-queue -am package -DskipTests
  java -jar engine/tools/merge-queue/target/leasehold-merge-queue.jar serve --config "$work/config.yaml" --host 127.0.0.1 --port 8093 \
    --address "$merge_queue" --embedded >"$work/server.log" 2>&1 &
  server=$!
  until_served "$merge_queue/health/ready"
  local main=acme/shop/main release=acme/shop/release/2.4
  acquire $main 5d0c2f1e9a7b4c38 main/pr-411 1
  acquire $main 9b1e4d7703c2aa60 main/pr-412 2
  acquire $main c7722ad15e8f4410 main/pr-413 3
  release $main c7722ad15e8f4410 main/pr-413 success 1
  acquire $main 1f6b90c4d2e85a37 main/pr-414 1
  acquire $main 83ae5b2c19d04f76 main/pr-415 2
  acquire $main e05c71fd6a9b2348 main/pr-416 3
  release $main e05c71fd6a9b2348 main/pr-416 failure 2
  acquire $main 4b98a0d3f7c6125e main/pr-417 3
  acquire $main 7ce21b5d8f90a463 main/pr-418 4
  acquire $release aa04c59e7d1b3f62 release/2.4/pr-402 1
  acquire $release 2d8f6031be95c7a4 release/2.4/pr-405 2
  sleep 6
  picture merge-queue-light "$merge_queue/" 1280,1150 light
  picture merge-queue-dark "$merge_queue/" 1280,1150 dark
  picture merge-queue-phone "$merge_queue/" 500,1900 light
  stop
}

for page in "${@:-all}"; do
  case $page in
    quickstart) quickstart ;;
    operator) operator ;;
    merge-queue) merge_queue ;;
    all)
      quickstart
      operator
      merge_queue
      ;;
    *)
      echo "take.sh [quickstart|operator|merge-queue]..." >&2
      exit 2
      ;;
  esac
done
