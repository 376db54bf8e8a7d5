// Finds a pattern with wildcards in a text: bytes in shared memory, early exits, and an atomic count and minimum.
extern "C" __global__ void string_search(const char* text, int length, const char* pattern, int pattern_length,
                                         unsigned char* found, int* count, int* first) {
  __shared__ char window[128 + 32];
  const int base = blockIdx.x * 128, t = threadIdx.x;
  for (int k = t; k < 128 + 32; k += blockDim.x) window[k] = base + k < length ? text[base + k] : '\0';
  __syncthreads();
  const int at = base + t;
  if (at >= length) return;
  bool match = at + pattern_length <= length;
  for (int k = 0; match && k < pattern_length; ++k) {
    const char p = pattern[k], c = window[t + k];
    if (p == '?') continue;
    if (p != c && (p | 32) != (c | 32)) match = false;
  }
  found[at] = match;
  if (match) {
    atomicAdd(count, 1);
    atomicMin(first, at);
  }
}
