#!/bin/sh
# Compiles the programs into a folder:   tests/simulated_cuda/build.sh OUT [NAME...]
# NVCC names the compiler; without it, it is nvcc of PATH or of /usr/local/cuda.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?build.sh: name the folder for the programs}
shift
mkdir -p "$out"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
stubs=
for folder in lib64/stubs lib/stubs targets/x86_64-linux/lib/stubs; do
  candidate=$(dirname "$(dirname "$nvcc")")/$folder
  if [ -e "$candidate/libcuda.so" ]; then stubs=$candidate; fi
done
if [ $# -eq 0 ]; then
  for source in "$here"/programs/*.cu; do set -- "$@" "$(basename "$source" .cu)"; done
fi
for name in "$@"; do
  libraries=
  case $name in
    driver | libraries) libraries="${stubs:+-L$stubs} -lcuda" ;;
  esac
  # shellcheck disable=SC2086  # several words
  "$nvcc" -cudart shared -arch=sm_90 -std=c++17 -lineinfo -O2 -o "$out/$name" "$here/programs/$name.cu" $libraries
done
