// The trace that a digest stands for: its collectives alone.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/ranks/digest_file.h"

namespace warpwalk::analysis {

std::string trace_json_of(const RankDigest& digest) {
  const std::int64_t device = std::max<std::int64_t>(0, digest.identity.device);
  std::string json = fmt::format(
      R"({{"baseTimeNanoseconds": {}, "distributedInfo": {{"backend": "{}", "rank": {}, "world_size": {}}}, "traceEvents": [)",
      digest.base, digest.identity.backend == "nccl" ? "nccl" : "", digest.identity.rank, digest.identity.world);
  bool first = true;
  const auto add = [&](std::int64_t from, std::int64_t to, std::string_view name, int stream) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const std::int64_t start = std::clamp<std::int64_t>(from - digest.base, 0, most);
    const std::int64_t length = std::clamp<std::int64_t>(to - from, 0, most);
    json += fmt::format(
        R"({}{{"ph": "X", "cat": "kernel", "name": "{}", "pid": {}, "tid": {}, "ts": {}.{:03}, "dur": {}.{:03}, )"
        R"("args": {{"device": {}, "stream": {}}}}})",
        first ? "" : ",\n", name, device, stream, start / 1000, start % 1000, length / 1000, length % 1000, device,
        stream);
    first = false;
  };
  for (const RankCollective& one : digest.collectives)
    add(one.arrival, one.end, fmt::format("ncclDevKernel_{}", name_of(one.kind)), 1);
  if (first) add(digest.begin, digest.end, "work", 1);
  return json + "]}\n";
}

}  // namespace warpwalk::analysis
