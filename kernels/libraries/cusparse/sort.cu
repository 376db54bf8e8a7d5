// Sorting the entries of a matrix by row and column: a merge sort, in which equal entries keep their order.

namespace stand_in::cusparse {

/// The key of an entry has its first index in the upper half. `kept` gets a copy of the permutation, if there is one.
__global__ void make_keys(const int* first, const int* second, int count, unsigned long long* keys, int* places,
                          const int* permutation, int* kept) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  keys[i] = static_cast<unsigned long long>(first[i]) << 32 | static_cast<unsigned>(second[i]);
  places[i] = static_cast<int>(i);
  if (permutation != nullptr) kept[i] = permutation[i];
}

/// Merges pairs of sorted runs of `run` keys. A thread per key: its place in the merged run is its place in its own run
/// plus the number of keys of the other run that come before it.
__global__ void merge_runs(const unsigned long long* keys, const int* places, unsigned long long* merged_keys,
                           int* merged_places, int count, int run) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const long long number = i / run, other = (number ^ 1) * run, pair = (number & ~1LL) * run;
  const bool is_second = number % 2 != 0;
  const unsigned long long key = keys[i];
  long long low = min(other, static_cast<long long>(count)), high = min(other + run, static_cast<long long>(count));
  const long long begin = low;
#pragma unroll 1
  while (low < high) {
    const long long middle = (low + high) / 2;
    if (keys[middle] < key || (is_second && keys[middle] == key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const long long target = pair + i % run + (low - begin);
  merged_keys[target] = key;
  merged_places[target] = places[i];
}

/// Writes the sorted indices, and permutes the permutation as they were.
__global__ void take_sorted(const unsigned long long* keys, const int* places, int count, int* first, int* second,
                            const int* kept, int* permutation) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  first[i] = static_cast<int>(keys[i] >> 32);
  second[i] = static_cast<int>(keys[i]);
  if (permutation != nullptr) permutation[i] = kept[places[i]];
}

}  // namespace stand_in::cusparse
