#!/bin/bash
# Runs numba's programs on the simulated GPU. Needs numba (Debian: python3-numba) and a CUDA toolkit, whose libNVVM and
# libdevice numba compiles with. Usage: run.sh FOLDER [PROGRAM.py ...]; FOLDER has the stand-ins for CUDA's libraries.
# Each program prints a line per check; "True" follows each name.
set -e
here=$(cd "$(dirname "$0")" && pwd)
libraries=$(cd "$1" && pwd)
shift
toolkit=${CUDA_HOME:-/usr/local/cuda}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
# numba looks for these in fixed places, which differ between toolkits.
mkdir -p "$home/nvvm/lib64" "$home/lib64"
for library in nvvm/lib64/libnvvm.so lib64/libnvvm.so; do
  [ -e "$toolkit/$library" ] && ln -sfn "$toolkit/$library" "$home/nvvm/lib64/libnvvm.so"
done
ln -s "$toolkit/nvvm/libdevice" "$home/nvvm/libdevice"
for library in "$libraries"/libcudart.so.*; do ln -sfn "$library" "$home/lib64/libcudart.so"; done
export CUDA_HOME=$home LD_LIBRARY_PATH=$libraries NUMBA_CUDA_DRIVER=$libraries/libcuda.so.1
export WARPWALK_GPU=${WARPWALK_GPU:-$here/../../../assets/devices/h200.json}
[ $# -gt 0 ] || set -- "$here"/{vector_add,reduction,atomics}.py
for program in "$@"; do
  echo "== $(basename "$program")"
  ${PYTHON:-/usr/bin/python3} -W ignore "$program"
done
