# Time limits for `.ci/run`, which sources this: no step can hang, and none leaves a process behind.
# Wants $work, a folder that no other run has, and the list $failed.

# What this run starts inherits the mark, so at the end of a step it is known what the step left behind.
export CI_RUN_MARK=$work
running=

# The pids of what a step left behind, where the system tells them (Linux). The own process began without the mark.
left() {
  local file
  CI_RUN_MARK= grep -lszxF "CI_RUN_MARK=$work" /proc/[0-9]*/environ 2>/dev/null | while IFS= read -r file; do
    file=${file%/environ}
    printf '%s\n' "${file#/proc/}"
  done || true
}

# Whoever reads the output of this run waits until the last process that holds it has ended: nothing stays.
sweep() {
  local pids pid
  pids=$(left)
  [ -n "$pids" ] || return 0
  # What ends by itself just now is no finding.
  sleep 2
  pids=$(left)
  for pid in $pids; do
    printf '== left running, killed: %s %s\n' "$pid" "$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | cut -c1-200)"
    kill -KILL "$pid" 2>/dev/null || true
  done
}

stop() {
  if [ -n "$running" ]; then kill -TERM "$running" 2>/dev/null || true; fi
  exit "$1"
}
trap 'sweep; rm -rf "$work"' EXIT
trap 'stop 130' INT
trap 'stop 143' TERM HUP

# limited MINUTES COMMAND…: a command that does not end fails with 124, and says so. All of the run has ALL_MINUTES.
# It runs in a process group of its own, which is ended as a whole.
ALL_MINUTES=85
MINUTE_SECONDS=60
limited() {
  local minutes=$1 code=0 start=$SECONDS seconds rest
  shift
  seconds=$((minutes * MINUTE_SECONDS))
  rest=$((ALL_MINUTES * MINUTE_SECONDS - SECONDS))
  if [ "$rest" -le 0 ]; then
    printf '== not started: the run has taken %s minutes\n' "$ALL_MINUTES"
    return 124
  fi
  if [ "$rest" -lt "$seconds" ]; then seconds=$rest; fi
  if ! command -v timeout >/dev/null; then
    "$@"
    return
  fi
  # With job control, what runs in the background still ends with SIGINT.
  set -m
  timeout --kill-after=20 "$seconds" "$@" &
  running=$!
  set +m
  wait "$running" || code=$?
  running=
  # 137: it did not end with SIGTERM either. A command may end with these codes on its own.
  if [ $((SECONDS - start)) -lt "$seconds" ]; then
    if [ "$code" -eq 124 ]; then code=1; fi
  elif [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
    code=124
    printf '== stopped: it did not end within %s s: %s\n' "$seconds" "$*"
  fi
  sweep
  return "$code"
}

# step MINUTES NAME COMMAND…
step() {
  local minutes=$1 name=$2 start=$SECONDS code=0
  shift 2
  printf '\n== %s: %s\n' "$name" "$*"
  limited "$minutes" "$@" || code=$?
  ended "$name" "$code" $((SECONDS - start))
}

# ended NAME CODE SECONDS
ended() {
  case $2 in
    0) printf '== %s: ok, %s s\n' "$1" "$3" ;;
    124) printf '== %s: FAILED, it did not end, %s s\n' "$1" "$3"; failed+=("$1 (it did not end)") ;;
    *) printf '== %s: FAILED, %s s\n' "$1" "$3"; failed+=("$1") ;;
  esac
}
