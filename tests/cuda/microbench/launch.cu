// Block launch: when and where blocks start, how soon a block follows another, which SMs form a cluster's GPC.
#include <map>

#include "bench.h"

namespace {

struct Start {
  unsigned long long ns_start, ns_end;
  long long start, end;
  unsigned sm;
};

__global__ void record(Start* starts, int spin) {
  __shared__ long long first, last;
  const long long start = now();
  const unsigned long long ns = nanoseconds();
  if (threadIdx.x == 0) first = start;
  while (now() - start < spin) {
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    last = now();
    starts[blockIdx.x] = {ns, nanoseconds(), first, last, sm_id()};
  }
}

__global__ void empty() {}

/// Each block notes its start and ends `spin` cycles later, plus a part that differs between blocks. Nothing follows the
/// loop, so that the time to the next start on the SM is that of replacing the block.
__global__ void spin_and_exit(long long* starts, unsigned* sm, int spin) {
  const long long start = now();
  if (threadIdx.x == 0) {
    starts[blockIdx.x] = start;
    sm[blockIdx.x] = sm_id();
  }
  const long long until = start + spin + (blockIdx.x * 2654435761u >> 22);
  while (now() < until) {
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return -1;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void blocks(int threads, int spin, int shared, int count, bool list) {
  DeviceArray<Start> starts(count);
  check(cudaFuncSetAttribute(record, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  for (int run = 0; run < 2; ++run) record<<<count, threads, shared>>>(starts.get(), spin);
  check(cudaGetLastError());
  const std::vector<Start> all = starts.read(count);
  const std::string what = named("threads", threads) + " " + named("spin", spin) + " " + named("shared", shared) + " " +
                           named("blocks", count);
  unsigned long long first = ~0ull, last_start = 0, last = 0;
  std::map<unsigned, std::vector<Start>> by_sm;
  for (const Start& s : all) {
    first = std::min(first, s.ns_start);
    last_start = std::max(last_start, s.ns_start);
    last = std::max(last, s.ns_end);
    by_sm[s.sm].push_back(s);
  }
  row("blocks", "first_to_last_start", what, double(last_start - first), "ns");
  row("blocks", "first_start_to_last_end", what, double(last - first), "ns");
  row("blocks", "sms_used", what, double(by_sm.size()), "SMs");
  // On each SM: the distance of starts in the first wave, and from a block's end to the next start.
  std::vector<double> apart, follow;
  double most = 0;
  for (auto& [sm, list_of] : by_sm) {
    std::sort(list_of.begin(), list_of.end(), [](const Start& a, const Start& b) { return a.start < b.start; });
    most = std::max(most, double(list_of.size()));
    std::vector<long long> ends;
    for (const Start& s : list_of) ends.push_back(s.end);
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 1; i < list_of.size(); ++i) {
      if (list_of[i].start < ends[0])
        apart.push_back(double(list_of[i].start - list_of[i - 1].start));
      else {
        const auto before = std::lower_bound(ends.begin(), ends.end(), list_of[i].start);
        follow.push_back(double(list_of[i].start - *(before - 1)));
      }
    }
  }
  row("blocks", "most_per_sm", what, most, "blocks");
  row("blocks", "starts_apart_median", what, median(apart), "cycles");
  row("blocks", "starts_apart_least", what, apart.empty() ? -1 : *std::min_element(apart.begin(), apart.end()),
      "cycles");
  row("blocks", "end_to_next_start_median", what, median(follow), "cycles");
  row("blocks", "end_to_next_start_least", what, follow.empty() ? -1 : *std::min_element(follow.begin(), follow.end()),
      "cycles");
  if (!list) return;
  std::printf("block_list,sm:ns:cycle,%s,", what.c_str());
  const auto base = by_sm.begin()->second.front();
  for (int i = 0; i < std::min(count, 1056); ++i)
    std::printf("%s%u:%lld:%lld", i ? " " : "", all[i].sm, static_cast<long long>(all[i].ns_start - first),
                all[i].start - base.start);
  std::printf(",\n");
}

/// Cycles from the end of a block's loop to the start of the block that takes its place: the k-th start after the first
/// wave of an SM belongs to its k-th end.
void replacement(int threads, int shared) {
  const int spin = 6000, count = sm_count() * 256;
  DeviceArray<long long> starts(count);
  DeviceArray<unsigned> sm(count);
  check(cudaFuncSetAttribute(spin_and_exit, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, spin_and_exit, threads, shared));
  for (int run = 0; run < 2; ++run) spin_and_exit<<<count, threads, shared>>>(starts.get(), sm.get(), spin);
  check(cudaGetLastError());
  const auto start = starts.read(count);
  const auto on = sm.read(count);
  std::map<unsigned, std::vector<int>> by_sm;
  for (int i = 0; i < count; ++i) by_sm[on[i]].push_back(i);
  std::vector<double> gaps;
  for (auto& [id, blocks] : by_sm) {
    std::vector<long long> begins, ends;
    for (const int i : blocks) {
      begins.push_back(start[i]);
      ends.push_back(start[i] + spin + (static_cast<unsigned>(i) * 2654435761u >> 22));
    }
    std::sort(begins.begin(), begins.end());
    std::sort(ends.begin(), ends.end());
    for (std::size_t k = resident; k < begins.size(); ++k) gaps.push_back(double(begins[k] - ends[k - resident]));
  }
  std::sort(gaps.begin(), gaps.end());
  const std::string what =
      named("threads", threads) + " " + named("shared", shared) + " " + named("resident", resident);
  for (const int percent : {1, 10, 50, 90})
    row("replacement", "percentile_" + std::to_string(percent), what, gaps[gaps.size() * percent / 100], "cycles");
}

__global__ void clusters(unsigned* sms) {
  if (threadIdx.x == 0) sms[blockIdx.x] = sm_id();
}

void gpcs() {
  DeviceArray<unsigned> sms(1024);
  check(cudaFuncSetAttribute(clusters, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  check(cudaFuncSetAttribute(clusters, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  for (int size : {2, 4, 8, 16}) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(size * 32);
    config.blockDim = dim3(32);
    config.dynamicSmemBytes = 200 << 10;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {static_cast<unsigned>(size), 1, 1};
    config.attrs = &attribute;
    config.numAttrs = 1;
    check(cudaLaunchKernelEx(&config, clusters, sms.get()));
    const std::vector<unsigned> all = sms.read(size * 32);
    for (int c = 0; c < 32; ++c) {
      std::printf("cluster,sms,size=%d cluster=%d,", size, c);
      for (int i = 0; i < size; ++i) std::printf("%s%u", i ? " " : "", all[c * size + i]);
      std::printf(",\n");
    }
  }
}

void empties() {
  cudaEvent_t before, after;
  check(cudaEventCreate(&before));
  check(cudaEventCreate(&after));
  for (int grid : {1, sm_count(), 1056, 4224, 16896, 65536})
    for (int block : {32, 256, 1024}) {
      const int launches = 50;
      for (int run = 0; run < 2; ++run) {
        check(cudaEventRecord(before));
        for (int i = 0; i < launches; ++i) empty<<<grid, block>>>();
        check(cudaEventRecord(after));
        check(cudaEventSynchronize(after));
      }
      float ms = 0;
      check(cudaEventElapsedTime(&ms, before, after));
      row("empty", "queued", named("grid", grid) + " " + named("block", block), ms * 1e6 / launches, "ns");
    }
}

}  // namespace

int main() {
  empties();
  gpcs();
  const int sms = sm_count();
  blocks(1024, 2000, 0, 2 * sms, true);
  blocks(256, 2000, 0, 8 * sms, true);
  blocks(32, 2000, 0, 32 * sms, true);
  blocks(128, 2000, 120 << 10, sms, true);
  for (int threads : {32, 64, 128, 256, 512, 1024})
    for (int spin : {0, 500, 4000}) blocks(threads, spin, 0, 64 * sms, false);
  for (int threads : {32, 64, 128, 256, 512, 1024}) replacement(threads, 0);
  for (int threads : {32, 256, 1024})
    for (int shared : {8 << 10, 24 << 10, 100 << 10, 200 << 10}) replacement(threads, shared);
  for (int shared : {8 << 10, 32 << 10, 100 << 10, 200 << 10}) blocks(256, 1000, shared, 10 * sms, false);
}
