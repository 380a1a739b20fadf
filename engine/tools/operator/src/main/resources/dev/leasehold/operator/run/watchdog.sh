# shellcheck shell=sh
# Ends the processes of a command when the process that keeps its lease is dead, is stopped, or has not said in time that it holds the
# lease. Arguments: a folder, the process that keeps the lease, the grace period in seconds, and for how many seconds the lease is held
# at first.
#
# The folder has two files. "beat" has three numbers: a count, the time of day in seconds at which the command must be asked to end, and
# how many seconds that was from when it was written; the command is killed when the grace period after that is over. "pid" has the
# process group of the command, once that has begun. When "beat" is gone there is nothing left to do. "asked" is there once this has asked
# the command to end.
trap '' HUP INT TERM
folder=$1
keeper=$2
grace=$3
left=$4
seen=
last=$(date +%s)
deadline=$((last + left))
while sleep 1; do
  [ -e "$folder/beat" ] || exit 0
  now=$(date +%s)
  passed=$((now - last))
  [ "$passed" -ge 1 ] || passed=1
  last=$now
  left=$((left - passed))
  if read -r count until seconds <"$folder/beat" && [ -n "$seconds" ] && [ "$count" != "$seen" ]; then
    seen=$count
    deadline=$until
    left=$seconds
  fi
  kill -s 0 "$keeper" 2>/dev/null || break
  [ "$left" -gt 0 ] || break
  [ "$now" -lt "$deadline" ] || break
done
tries=0
while [ ! -s "$folder/pid" ] && [ "$tries" -lt 3 ]; do
  sleep 1
  tries=$((tries + 1))
done
if [ -s "$folder/pid" ]; then
  group=$(cat "$folder/pid")
  # Whatever the command makes of it: it did not end by itself.
  : >"$folder/asked"
  kill -s TERM -- "-$group" 2>/dev/null
  asked=$(date +%s)
  kill_at=$((asked + grace))
  # When the process that keeps the lease has said nothing for long, a part of the grace period may be over.
  [ "$kill_at" -le $((deadline + grace)) ] || kill_at=$((deadline + grace))
  waited=0
  while kill -s 0 -- "-$group" 2>/dev/null && [ "$waited" -lt "$grace" ] && [ "$(date +%s)" -lt "$kill_at" ]; do
    sleep 1
    waited=$((waited + 1))
  done
  kill -s KILL -- "-$group" 2>/dev/null
fi
kill -s 0 "$keeper" 2>/dev/null || rm -rf "$folder"
