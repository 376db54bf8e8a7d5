// Adds n amounts by category: amount[i] belongs to category key[i] / 250, one of 4 (keys are from 0 to 999).
// totals[c] is 0 before the launch, and becomes the sum of the amounts of category c. One thread adds one amount.
__global__ void sum_by_category(const int* key, const int* amount, int* totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&totals[key[i] / 250], amount[i]);
}
