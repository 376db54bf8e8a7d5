// Two kernels in one module, one of them a template. Source of data/two.cubin (nvcc -arch=sm_90 -lineinfo -cubin).
__global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

template <class T>
__global__ void shift(T* x, T by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
template __global__ void shift<int>(int*, int, int);
