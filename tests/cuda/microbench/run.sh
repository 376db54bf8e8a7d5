#!/usr/bin/env bash
# Builds and runs the microbenchmarks and writes a CSV file for each: run.sh OUT_FOLDER [NAME...]
# MICROBENCH_BINARIES names a folder with programs built earlier.
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
out=${1:?run.sh: the folder for the results is missing}
shift
names=("$@")
((${#names[@]})) || names=(bandwidth l2_latency slices instructions memory patterns schedulers atomics fetch launch control queue writes mixed cold chase read_only handover carried cores host_device)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
mkdir -p "$out"
for name in "${names[@]}"; do
  program=${MICROBENCH_BINARIES:-$out/programs}/$name
  if [[ ! -x $program ]]; then
    mkdir -p "$(dirname "$program")"
    host=()
    # Vector instructions and threads for the CPU's side of the comparison.
    [[ $name == cores ]] && host=(-Xcompiler -O3,-march=x86-64-v3,-fopenmp -lgomp)
    "$nvcc" -std=c++20 --extended-lambda -arch=sm_90 -cudart static -O3 "${host[@]}" -o "$program" "$here/$name.cu" || continue
  fi
  { echo topic,name,parameters,value,unit; timeout 90 "$program"; } >"$out/$name.csv" 2>"$out/$name.log"
  echo "$name: exit status $?, $(wc -l <"$out/$name.csv") lines"
done
