// Each thread copies elements of b, which lie in a at the place with row and column exchanged.
__global__ void reference(const float* a, float* b, int rows, int columns) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns; i += gridDim.x * blockDim.x) {
    int row = i / rows, column = i % rows;  // in b
    b[i] = a[column * columns + row];
  }
}
