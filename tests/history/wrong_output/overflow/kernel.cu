// Multiplies prices by amounts.
extern "C" __global__ void totals(const int* price, const int* amount, long long* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int product = price[i] * amount[i];  // BUG: the product has more than 31 bits
  total[i] = (long long)product + 1000;
}
