#!/bin/sh
# Runs the compiled programs with the sanitizer of the simulated GPU:
#
#   tests/simulated_cuda/faulty/check.sh PROGRAMS [NAME...]
#
# PROGRAMS is the folder that build.sh filled. Each line of expected.txt, "NAME: TEXT", must be a part of what the
# faulty program prints on stderr, and each finding of that program must be expected. The repaired programs must print
# nothing there. LIBRARIES (build/release/simulated_cuda) and GPU (assets/devices/h200.json) name what runs them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
programs=$(cd "${1:?check.sh: name the folder with the programs}" && pwd) || exit 2
shift
export LD_LIBRARY_PATH="${LIBRARIES:-$root/build/release/simulated_cuda}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export WARPWALK_GPU="${GPU:-$root/assets/devices/h200.json}"
export WARPWALK_SANITIZE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
  for source in "$here"/*.cu; do set -- "$@" "$(basename "$source" .cu)"; done
fi
bad=0
for name; do
  timeout -k 2 60 "$programs/$name" >"$work/out" 2>"$work/err" </dev/null
  grep "^$name: " "$here/expected.txt" | sed "s/^$name: //" >"$work/expected"
  while IFS= read -r line; do
    grep -qF -- "$line" "$work/err" || { echo "$name: missing: $line"; bad=1; }
  done <"$work/expected"
  # The shell reports the fault of host_dereference.
  grep -v "Segmentation fault" "$work/err" | grep -vF -f "$work/expected" | sed "s/^/$name: not expected: /" >"$work/more"
  if [ -s "$work/more" ]; then cat "$work/more"; bad=1; fi
  timeout -k 2 60 "$programs/$name.repaired" >"$work/out" 2>"$work/err" </dev/null || { echo "$name.repaired: exit status $?"; bad=1; }
  sed "s/^/$name.repaired: not expected: /" "$work/err" >"$work/more"
  if [ -s "$work/more" ]; then cat "$work/more"; bad=1; fi
done
[ $bad -eq 0 ] && echo "all $# programs as expected"
exit $bad
