// Planted: the rows of a table are freed, the table is not.
#include <cstdio>

__global__ void fill(float** rows) { rows[blockIdx.x][threadIdx.x] = static_cast<float>(blockIdx.x); }

int main() {
  float *rows[4], **table = nullptr;
  for (float*& row : rows) cudaMalloc(&row, 32 * sizeof(float));
  cudaMalloc(&table, sizeof rows);
  cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice);
  fill<<<4, 32>>>(table);
  float last = 0;
  cudaMemcpy(&last, rows[3], sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%g\n", last);
  for (float* const row : rows) cudaFree(row);
#ifdef REPAIRED
  cudaFree(table);
#endif
}
