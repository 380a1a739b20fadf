#!/usr/bin/env bash
# Makes the pictures of docs/merge-queue.md: starts the service with an embedded database, puts it into a state worth seeing, and takes
# pictures of its page with a headless Chromium. Needs the built jar, curl and chromium. Run it from the root of the repository.
set -euo pipefail

jar=engine/merge-queue/target/leasehold-merge-queue.jar
images=docs/screenshots
port=${PORT:-8093}
service=http://127.0.0.1:$port
browser=${CHROMIUM:-chromium}
folder=$(mktemp -d)

mkdir -p "$images"
cat >"$folder/config.yaml" <<'YAML'
providers:
  - {owner: acme, repo: shop, base-ref: main, expected-requests: 3, maximum-hold: 45m, request-ttl: 30m}
  - {owner: acme, repo: shop, base-ref: release/2.4, expected-requests: 4, request-ttl: 30m}
  - {owner: acme, repo: billing, base-ref: main}
YAML
java -jar "$jar" serve --config "$folder/config.yaml" --host 127.0.0.1 --port "$port" --address "$service" --embedded \
  >"$folder/out" 2>"$folder/err" &
process=$!
trap 'kill $process 2>/dev/null || true; wait $process 2>/dev/null || true; rm -rf "$folder"' EXIT
for _ in $(seq 120); do
  grep -q serving "$folder/out" && break
  sleep 1
done

acquire() {
  curl --silent --fail --output /dev/null --retry 10 --retry-all-errors \
    --data "{\"head_sha\": \"$2\", \"head_ref\": \"$3\", \"priority\": $4}" "$service/$1/acquire"
}
release() {
  curl --silent --fail --output /dev/null --data "{\"head_sha\": \"$2\", \"status\": \"$3\"}" "$service/$1/release"
}

main=acme/shop/main
acquire $main 5d0c2f1e9a7b4c38 gh-readonly-queue/main/pr-411 1
acquire $main 9b1e4d7703c2aa60 gh-readonly-queue/main/pr-412 2
acquire $main c7722ad15e8f4410 gh-readonly-queue/main/pr-413 3
release $main c7722ad15e8f4410 success
acquire $main 1f6b90c4d2e85a37 gh-readonly-queue/main/pr-414 1
acquire $main 83ae5b2c19d04f76 gh-readonly-queue/main/pr-415 2
acquire $main e05c71fd6a9b2348 gh-readonly-queue/main/pr-416 3
release $main e05c71fd6a9b2348 failure
acquire $main 4b98a0d3f7c6125e gh-readonly-queue/main/pr-417 3
acquire $main 7ce21b5d8f90a463 gh-readonly-queue/main/pr-418 4
acquire acme/shop/release/2.4 aa04c59e7d1b3f62 gh-readonly-queue/release/2.4/pr-402 1
acquire acme/shop/release/2.4 2d8f6031be95c7a4 gh-readonly-queue/release/2.4/pr-405 2
sleep 6

picture() { # name, size, further options
  local name=$1 size=$2
  shift 2
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$folder/$name" --window-size="$size" "$@" \
    --screenshot="$images/$name.png" "$service/" 2>/dev/null
}
picture merge-queue-light 1100,900
picture merge-queue-dark 1100,900 --blink-settings=preferredColorScheme=0
picture merge-queue-phone 500,1400
echo "pictures are in $images"
