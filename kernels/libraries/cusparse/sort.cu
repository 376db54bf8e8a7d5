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

/// Copies indices.
__global__ void copy_indices(const int* from, int* to, int count) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

/// Takes values in the order of a permutation. `bytes`: of a value, 2, 4, 8 or 16.
__global__ void permute_values(const void* from, void* to, const int* permutation, int count, int bytes) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int source = permutation[i];
  switch (bytes) {
    case 2: static_cast<short*>(to)[i] = static_cast<const short*>(from)[source]; break;
    case 4: static_cast<int*>(to)[i] = static_cast<const int*>(from)[source]; break;
    case 8: static_cast<long long*>(to)[i] = static_cast<const long long*>(from)[source]; break;
    default: static_cast<longlong2*>(to)[i] = static_cast<const longlong2*>(from)[source];
  }
}

}  // namespace stand_in::cusparse
