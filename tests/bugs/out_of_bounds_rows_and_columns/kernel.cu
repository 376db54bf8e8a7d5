// Row and column are swapped in the index, which is correct only for square pictures.
extern "C" __global__ void brighten(float* picture, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  picture[column * width + row] = 1.5f;  // BUG: row * width + column
}
