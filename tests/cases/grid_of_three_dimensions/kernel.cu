// A three-dimensional grid and block with odd sizes: every index that a thread can query.
extern "C" __global__ void grid_of_three_dimensions(int* y, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int yy = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || yy >= ny || z >= nz) return;
  const int linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  y[(z * ny + yy) * nx + x] = linear + 1000 * block + 1000000 * (warpSize == 32) + gridDim.z * 2000000;
}
