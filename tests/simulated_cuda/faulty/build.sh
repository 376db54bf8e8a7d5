#!/bin/sh
# Compiles each program twice, with its error (NAME) and repaired (NAME.repaired):
#
#   tests/simulated_cuda/faulty/build.sh OUT [NAME...]
#
# NVCC names the compiler; without it, it is nvcc of PATH or of /usr/local/cuda.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?build.sh: name the folder for the programs}
shift
mkdir -p "$out"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [ $# -eq 0 ]; then
  for source in "$here"/*.cu; do set -- "$@" "$(basename "$source" .cu)"; done
fi
for name; do
  "$nvcc" -cudart shared -arch=sm_90 -std=c++17 -lineinfo -g -o "$out/$name" "$here/$name.cu"
  "$nvcc" -cudart shared -arch=sm_90 -std=c++17 -lineinfo -g -D REPAIRED -o "$out/$name.repaired" "$here/$name.cu"
done
