#include "core/analysis/slices.h"

#include <algorithm>
#include <string_view>

#include "core/analysis/names/short_names.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {

using trace::SliceKind;

Reaching reaching_into(const Trace& trace, const trace::Track& track, std::int64_t from) {
  const auto& rows = trace.slices;
  SliceId low = track.first, high = track.last;
  while (low < high) {
    const SliceId middle = low + (high - low) / 2;
    if (rows.start[middle] < from)
      low = middle + 1;
    else
      high = middle;
  }
  Reaching found;
  found.first = low;
  // Slices that overlap without nesting start shortly before; enclosing slices are found by their parents, however far
  // back they start.
  constexpr SliceId look_back = 64;
  SliceId s = low;
  for (; s > track.first && low - s < look_back; --s)
    if (rows.end(s - 1) > from) found.before.push_back(s - 1);
  if (s > track.first)
    for (SliceId up = low - 1; up != no_slice; up = rows.parent[up])
      if (up < s && rows.end(up) > from) found.before.push_back(up);
  std::reverse(found.before.begin(), found.before.end());
  return found;
}

bool has_depth(const Trace& trace, SliceId slice, std::size_t depth) {
  constexpr int max_steps = 512;  // a file can nest thousands of slices
  std::size_t found = 0;
  int steps = 0;
  for (SliceId s = trace.slices.parent[slice]; s != no_slice && found <= depth; s = trace.slices.parent[s]) {
    if (++steps > max_steps) return false;
    found += trace.slices.kind[s] == SliceKind::op;
  }
  return found == depth;
}

std::string label_of(const Trace& trace, SliceId slice) {
  const std::string_view name = trace.name(slice);
  switch (trace.slices.kind[slice]) {
    case SliceKind::kernel: return short_kernel_name(name);
    case SliceKind::python: return is_typed(trace) ? trace.records.expression : short_frame_name(name);
    default: return std::string(name);
  }
}

bool is_wait(const Trace& trace, SliceId slice) {
  if (!trace::is_call(trace.slices.kind[slice])) return false;
  // Unified Runtime and HSA have other words for it than CUDA, HIP and Level Zero.
  constexpr std::string_view parts[] = {"Synchronize", "urQueueFinish", "urEventWait", "hsa_signal_wait"};
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return trace.name(slice).find(part) != std::string_view::npos; });
}

bool is_allocation(const Trace& trace, SliceId slice) {
  if (!trace::is_call(trace.slices.kind[slice])) return false;
  const std::string_view name = trace.name(slice);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  // Most calls have none of these, and paths ask for each call.
  if (!has("lloc") && !has("Free") && !has("Mem") && !has("egister") && !has("memory_pool")) return false;
  constexpr std::string_view parts[] = {"Malloc",          "HostAlloc",        "MemAlloc",
                                        "MemFree",         "HostFree",         "cudaFree",
                                        "hipFree",         "rtFree",           "MemCreate",
                                        "MemRelease",      "MemMap",           "MemUnmap",
                                        "MemSetAccess",    "MemAddress",       "HostRegister",
                                        "HostUnregister",  "urUSMDeviceAlloc", "urUSMSharedAlloc",
                                        "urUSMHostAlloc",  "urUSMFree",        "memory_pool_allocate",
                                        "memory_pool_free"};
  return std::ranges::any_of(parts, has);
}

bool is_pageable_copy(std::string_view work) { return work.starts_with("Memcpy HtoD (Pageable"); }

bool copies_pageable(const Trace& trace, SliceId call) {
  const auto& rows = trace.slices;
  for (; call != no_slice && trace::is_call(rows.kind[call]); call = rows.parent[call]) {
    if (trace.name(call).find("emcpy") == std::string_view::npos) continue;
    for (std::size_t i = trace::first_launched(trace, call);
         i < trace.launched.size() && trace.launched[i].first == call; ++i) {
      const SliceId work = trace.launched[i].second;
      if (rows.kind[work] == SliceKind::memcpy && is_pageable_copy(trace.name(work))) return true;
    }
  }
  return false;
}

bool is_cuda_work(const Trace& trace, SliceId slice) {
  if (trace.slices.kind[slice] != SliceKind::overhead) return false;
  const std::string_view name = trace.name(slice);
  return name.find("Loading") != std::string_view::npos || name.find("Compiler") != std::string_view::npos ||
         name == "Command Buffer Full";
}

bool is_profiler_work(const Trace& trace, SliceId slice) {
  return trace.slices.kind[slice] == SliceKind::overhead && !is_cuda_work(trace, slice);
}

std::string stream_name(const Trace& trace, trace::TrackId id) {
  const trace::Track& track = trace.tracks[id];
  return track.stream == trace::absent ? std::string(trace.text(track.tid)) : std::to_string(track.stream);
}

std::optional<std::uint64_t> blocks_of(const std::array<std::int32_t, 3>& shape) {
  std::uint64_t blocks = 1;
  for (const std::int32_t extent : shape) {
    if (extent < 1) return {};
    const auto more = static_cast<std::uint64_t>(extent);
    if (blocks > (std::uint64_t{1} << 62) / more) return {};  // more than any GPU can count
    blocks *= more;
  }
  return blocks;
}

}  // namespace warpwalk::analysis
