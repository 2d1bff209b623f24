# What the scripts share: source it from the repository's root. Steps print one line each, with their time; what a step
# itself prints is shown only if it fails, or while it runs on a terminal.

steps_log=$(mktemp)
trap 'rm -f "$steps_log"' EXIT

# step NAME COMMAND...: runs a command quietly.
step() {
  local name=$1 start=$EPOCHREALTIME
  shift
  [ -t 1 ] && printf '  %-34s ...\r' "$name"
  if ! "$@" >"$steps_log" 2>&1 </dev/null; then
    cat "$steps_log" >&2
    printf '  %-34s FAILED: %s\n' "$name" "$*" >&2
    return 1
  fi
  step_done "$name" "$start"
}

# step_shown NAME COMMAND...: runs a command whose output is worth seeing.
step_shown() {
  local name=$1 start=$EPOCHREALTIME
  shift
  printf '  %s\n' "$name"
  "$@" </dev/null || { printf '  %-34s FAILED: %s\n' "$name" "$*" >&2; return 1; }
  step_done "$name" "$start"
}

step_done() {
  awk -v name="$1" -v begin="$2" -v end="$EPOCHREALTIME" 'BEGIN { printf "  %-34s %7.1f s\n", name, end - begin }'
}

# build PRESET [TARGETS...]: configures and builds; ninja shows its progress on a terminal.
build() {
  local preset=$1
  shift
  step "configure ($preset)" cmake --preset "$preset"
  local run=step
  [ -t 1 ] && run=step_shown
  $run "build ($preset)" ninja -C "build/$preset" "$@"
}

# run_tests PRESET [CTEST OPTIONS...]: ctest's own lines stay visible.
run_tests() {
  local preset=$1
  shift
  step_shown "test ($preset)" ctest --test-dir "build/$preset" --output-on-failure --no-label-summary -j "$(nproc)" "$@"
}
