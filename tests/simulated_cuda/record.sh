#!/bin/sh
# Runs the compiled programs on a machine with a GPU of compute capability 9.0 (H100, H200), and keeps what they print
# and the digest of their walk:
#
#   tests/simulated_cuda/record.sh PROGRAMS OUT [NAME...]
#
# PROGRAMS is the folder that build.sh filled. OUT gets NAME.txt (output and exit status), NAME.walk.txt (digest.py),
# log.txt (everything else that was printed; runs that differ), and walks/NAME.json.gz. Every program runs twice alone
# and twice recorded, so that differences between runs are seen. WARPWALK names the program that records; without it, it
# is build/release/warpwalk. After BUDGET seconds (280) nothing more is started.
set -u
here=$(cd "$(dirname "$0")" && pwd)
programs=$(cd "${1:?record.sh: name the folder with the programs}" && pwd) || exit 2
mkdir -p "${2:?record.sh: name the folder for the results}/walks"
out=$(cd "$2" && pwd)
shift 2
warpwalk=${WARPWALK:-$here/../../build/release/warpwalk}
budget=${BUDGET:-280}
begin=$(date +%s)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${CUDA_HOME:-/usr/local/cuda}/lib64
export LD_LIBRARY_PATH
: >"$out/log.txt"
say() { echo "$(($(date +%s) - begin)) s: $*" | tee -a "$out/log.txt"; }
late() { [ $(($(date +%s) - begin)) -ge "$budget" ]; }
if [ $# -eq 0 ]; then
  for source in "$here"/programs/*.cu; do set -- "$@" "$(basename "$source" .cu)"; done
fi

run() { # NAME FILE: what the program prints, and its exit status
  timeout -k 2 30 "$programs/$1" >"$2" 2>>"$out/log.txt" </dev/null
  echo "exit status $?" >>"$2"
}
walk() { # NAME WALK OUTPUT
  timeout -k 2 60 "$warpwalk" record -o "$2" -- timeout -k 2 30 "$programs/$1" >"$3" 2>>"$out/log.txt" </dev/null
}
digest() { python3 "$here/digest.py" "$1" --source "$here/programs/$2.cu"; }

for name; do
  late && { say "$name: no time left"; continue; }
  run "$name" "$out/$name.txt"
  say "$name: $(tail -n 1 "$out/$name.txt"), $(tail -n 2 "$out/$name.txt" | head -n 1)"
done
for name; do
  late && { say "$name: no time left for its walk"; continue; }
  walk "$name" "$work/$name.json.gz" "$work/$name.recorded"
  if [ ! -e "$work/$name.json.gz" ]; then say "$name: no walk"; continue; fi
  cp "$work/$name.json.gz" "$out/walks/"
  digest "$work/$name.json.gz" "$name" >"$out/$name.walk.txt" 2>>"$out/log.txt" || say "$name: no digest"
  sed '$d' "$out/$name.txt" >"$work/$name.alone"
  cmp -s "$work/$name.alone" "$work/$name.recorded" || {
    say "$name: other output when recorded"
    diff "$work/$name.alone" "$work/$name.recorded" >>"$out/log.txt"
  }
  say "$name: $(wc -l <"$out/$name.walk.txt") lines of digest"
done
for name; do
  late && { say "$name: no time left for a second run"; continue; }
  run "$name" "$work/$name.again"
  cmp -s "$out/$name.txt" "$work/$name.again" || {
    say "$name: other output in the second run"
    diff "$out/$name.txt" "$work/$name.again" >>"$out/log.txt"
  }
  late && continue
  walk "$name" "$work/$name.2.json.gz" "$work/$name.recorded"
  [ -e "$work/$name.2.json.gz" ] || continue
  digest "$work/$name.2.json.gz" "$name" >"$work/$name.again" 2>>"$out/log.txt"
  cmp -s "$out/$name.walk.txt" "$work/$name.again" || {
    say "$name: another digest in the second run"
    diff "$out/$name.walk.txt" "$work/$name.again" >>"$out/log.txt"
  }
done
say "done"
