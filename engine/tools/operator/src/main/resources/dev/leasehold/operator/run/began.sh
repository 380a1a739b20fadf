# shellcheck shell=sh
# Prints in one word when a process began, or nothing if it is not there or the system does not tell. Of two processes with one number it
# tells which one it is. (The name of its program stands in parentheses before the fields, and may have any characters.)
began() {
  if { read -r stat <"/proc/$1/stat"; } 2>/dev/null; then
    # shellcheck disable=SC2086
    set -- ${stat##*) }
    shift 19 && echo "$1"
  else
    # shellcheck disable=SC2046
    set -- $(ps -o lstart= -p "$1" 2>/dev/null)
    IFS=_ && echo "$*"
  fi
}
