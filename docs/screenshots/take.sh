#!/bin/sh
# Takes the pictures of the pages with a Chromium that has no window, into the folder that is given: docs/screenshots by default.
# Needs chromium on the PATH, and what the tests of the build need. Each page has a function of its own.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
into=${1:-$root/docs/screenshots}
work=$(mktemp -d)
server=
mkdir -p "$into"

end() {
  # Its input ends, and with it what is served.
  exec 3>&- || true
  if [ -n "$server" ]; then
    wait "$server" || true
  fi
  rm -rf "$work"
}
trap end EXIT

# picture NAME URL WIDTH HEIGHT SCHEME, where the scheme is light or dark
picture() {
  scheme=1
  if [ "$5" = dark ]; then
    scheme=0
  fi
  chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$work/chromium-$1" \
    --blink-settings=preferredColorScheme=$scheme --window-size="$3,$4" --virtual-time-budget=3000 \
    --screenshot="$into/$1.png" "$2" > "$work/$1.log" 2>&1
  test -s "$into/$1.png"
  echo "$into/$1.png"
}

until_served() {
  tries=0
  until curl --silent --fail --output /dev/null "$1"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 120 ]; then
      echo "nothing is served at $1" >&2
      cat "$work/server.log" >&2
      exit 1
    fi
    sleep 1
  done
}

operator_page() {
  url=http://127.0.0.1:7118
  mkfifo "$work/input"
  (cd "$root" && mvn -q -B ${MAVEN_ARGS_OF_PICTURES:-} -pl engine/operator exec:java -Dexec.skip=false -Dexec.classpathScope=test \
    -Dexec.mainClass=dev.leasehold.operator.Showcase -Dexec.args=7118) < "$work/input" > "$work/server.log" 2>&1 &
  server=$!
  exec 3> "$work/input"
  until_served "$url/"
  sleep 8
  picture operator-light "$url/" 1280 1250 light
  picture operator-dark "$url/" 1280 1250 dark
  picture operator-phone "$url/" 390 1800 light
  picture operator-lease "$url/lease?name=sales-report" 1000 900 light
}

operator_page
