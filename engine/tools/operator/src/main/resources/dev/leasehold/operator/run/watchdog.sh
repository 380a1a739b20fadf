# shellcheck shell=sh
# Ends the processes of a command when the process that keeps its lease is dead, is stopped, or has not said in time that it holds the
# lease. Arguments: a folder, the process that keeps the lease, the grace period in seconds, and for how many seconds the lease is held
# at first.
#
# The folder has two files. "beat" has four numbers: a count, the time of day in seconds at which the command must be asked to end, how
# many seconds that was from when it was written, and the process group of the command and when that began, once they are known; the command
# is killed when the grace period after that is over. "pid" has the last two from when the command has begun, and is read if "beat" never had
# them: it is not written again, so that a cleaner of old files may remove it. "asked" is there once this has asked the command to end.
trap '' HUP INT TERM
folder=$1
keeper=$2
grace=$3
left=$4
group=
begun=
seen=
last=$(date +%s)
deadline=$((last + left))
while sleep 1; do
  now=$(date +%s)
  passed=$((now - last))
  [ "$passed" -ge 1 ] || passed=1
  last=$now
  left=$((left - passed))
  if read -r count until seconds known since <"$folder/beat" && [ -n "$seconds" ] && [ "$count" != "$seen" ]; then
    seen=$count
    deadline=$until
    left=$seconds
    group=$known
    begun=$since
  fi
  kill -s 0 "$keeper" 2>/dev/null || break
  [ "$left" -gt 0 ] || break
  [ "$now" -lt "$deadline" ] || break
done
tries=0
while [ -z "$group" ] && ! read -r group begun <"$folder/pid" && [ "$tries" -lt 3 ]; do
  sleep 1
  tries=$((tries + 1))
done
# When no process of the command is left, its number may belong to others, which have to be left alone.
is_ours() {
  now=$(began "$group")
  [ -z "$begun" ] || [ -z "$now" ] || [ "$now" = "$begun" ]
}
if [ -n "$group" ] && is_ours; then
  # Whatever the command makes of it: it did not end by itself. (A shell ends if ":" cannot write, but not if "echo" cannot.)
  echo >"$folder/asked"
  kill -s TERM -- "-$group" 2>/dev/null
  asked=$(date +%s)
  kill_at=$((asked + grace))
  # When the process that keeps the lease has said nothing for long, a part of the grace period may be over.
  [ "$kill_at" -le $((deadline + grace)) ] || kill_at=$((deadline + grace))
  waited=0
  # A group that is gone is sent nothing more.
  while kill -s 0 -- "-$group" 2>/dev/null && is_ours; do
    if [ "$waited" -ge "$grace" ] || [ "$(date +%s)" -ge "$kill_at" ]; then
      kill -s KILL -- "-$group" 2>/dev/null
      break
    fi
    sleep 1
    waited=$((waited + 1))
  done
fi
kill -s 0 "$keeper" 2>/dev/null || rm -rf "$folder"
