// Prefix sums of each segment of 1024 elements: y[i] is the sum of x[first] to x[i],
// where first is the beginning of the segment of i. The last segment may be shorter.
constexpr int segment = 1024;

__global__ void block_scan(const int* x, int* y, int n) {
  int first = blockIdx.x * segment;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = first; i < min(first + segment, n); ++i) {
      sum += x[i];
      y[i] = sum;
    }
  }
}
