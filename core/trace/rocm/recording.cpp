#include "core/trace/rocm/recording.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/trace/chrome/kinds.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/link.h"

namespace warpwalk::trace::rocm {
namespace {

constexpr std::uint64_t rows_between_checks = 4096;

bool is_time(std::int64_t time) { return time > -time_limit && time < time_limit; }

SliceKind kind_of_api(std::string_view category) {
  if (category.starts_with("HIP_") || category.starts_with("RCCL")) return SliceKind::runtime;
  if (category.starts_with("HSA_")) return SliceKind::driver;
  if (category.starts_with("MARKER")) return SliceKind::annotation;
  return SliceKind::other;
}

}  // namespace

StringId Recording::intern(std::string_view text) { return trace_.strings.intern(valid_utf8(text)); }

bool Recording::go_on(std::string_view place) {
  if (stopped_ || ++events_ % rows_between_checks != 0) return !stopped_;
  if (options_.go_on && !options_.go_on(events_)) {
    stopped_ = true;
    problems_.add(ProblemKind::cancelled, 0,
                  fmt::format("reading was cancelled at {}; everything before it is kept", place));
  } else if (trace_.bytes() + (work_.size() + calls_.size()) * sizeof(Placed) > options_.memory_cap_bytes) {
    stopped_ = true;
    problems_.add(ProblemKind::memory_cap, 0,
                  fmt::format("reading stopped at {}: the trace reached the cap of {}; everything before it is kept",
                              place, base::bytes_text(static_cast<double>(options_.memory_cap_bytes))));
  }
  return !stopped_;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Recording::span(std::int64_t start, std::int64_t end,
                                                                     std::string_view place) {
  if (start == absent || !is_time(start)) {
    problems_.add(start == absent ? ProblemKind::missing_field : ProblemKind::time_out_of_range, 0, [&] {
      return fmt::format("{} has no start in the range of times; it is counted but not shown", place);
    });
    return {};
  }
  if (end == absent || !is_time(end) || end < start) {
    problems_.add(end == absent ? ProblemKind::missing_field : ProblemKind::time_out_of_range, 0,
                  [&] { return fmt::format("{} has no end after its start; it is shown without a duration", place); });
    end = start;
  }
  return std::pair{start, end - start};
}

SliceId Recording::slice(SliceKind kind, StringId name, std::pair<std::int64_t, std::int64_t> span,
                         std::size_t detail) {
  Slices& rows = trace_.slices;
  rows.start.push_back(span.first);
  rows.duration.push_back(span.second);
  rows.name.push_back(name);
  rows.extra.push_back(0);
  rows.track.push_back(0);  // until finish()
  rows.detail.push_back(static_cast<std::uint32_t>(detail));
  rows.kind.push_back(kind);
  return static_cast<SliceId>(rows.size() - 1);
}

std::optional<SliceId> Recording::kernel(const Work& work, KernelDetail detail, StringId name, std::string_view place) {
  const auto times = span(work.start, work.end, place);
  if (!times) return {};
  trace_.kernels.push_back(detail);
  const SliceId row = slice(SliceKind::kernel, name, *times, trace_.kernels.size() - 1);
  work_.push_back({row, work});
  process_number(work.process);
  return row;
}

std::optional<SliceId> Recording::copy(const Work& work, std::int64_t bytes, StringId name, std::string_view place) {
  const auto times = span(work.start, work.end, place);
  if (!times) return {};
  TransferDetail detail;
  detail.bytes = bytes;
  if (bytes >= 0 && times->second > 0)
    detail.bandwidth_gb_s = static_cast<double>(bytes) / static_cast<double>(times->second);
  trace_.transfers.push_back(detail);
  const SliceId row = slice(SliceKind::memcpy, name, *times, trace_.transfers.size() - 1);
  work_.push_back({row, work});
  process_number(work.process);
  return row;
}

std::optional<SliceId> Recording::host(const HostRow& row, std::string_view category, StringId name,
                                       std::string_view place) {
  const auto times = span(row.start, row.end, place);
  if (!times) return {};
  const SliceKind kind = kind_of_api(category);
  std::size_t detail = 0;
  if (is_call(kind)) {
    trace_.calls.push_back({});
    detail = trace_.calls.size() - 1;
  } else if (kind == SliceKind::annotation) {
    trace_.ops.push_back({});
    detail = trace_.ops.size() - 1;
  } else {
    // A category of PyTorch's profiler would make another row of it where the trace is written and read again.
    const bool free = !category.empty() && kind_of_category(category) == SliceKind::other;
    detail = intern(free ? category : "rocprofiler");
  }
  const SliceId added = slice(kind, name, *times, detail);
  trace_.slices.track[added] = thread_track(row.process, row.thread);
  process_number(row.process);
  if (is_call(kind)) calls_.push_back({added, {row.process, absent, absent, absent, row.correlation, 0, 0}});
  return added;
}

std::int64_t Recording::process_number(std::int64_t process) {
  if (process == absent) return absent;
  const auto [known, is_new] =
      process_numbers_.try_emplace(process, static_cast<std::int64_t>(process_numbers_.size()));
  if (is_new) processes_.push_back(process);
  return known->second;
}

// Each process counts its correlations for itself.
std::int64_t Recording::unique_correlation(std::int64_t process, std::int64_t correlation) const {
  constexpr int bits = 32;
  if (correlation == absent || process_numbers_.size() < 2) return correlation;
  const auto known = process_numbers_.find(process);
  if (known == process_numbers_.end() || correlation < 0 || correlation >> bits != 0 || known->second >> 30 != 0)
    return absent;
  return known->second << bits | correlation;
}

TrackId Recording::thread_track(std::int64_t process, std::int64_t thread) {
  const auto [known, is_new] =
      threads_.try_emplace(std::pair{process, thread}, static_cast<TrackId>(trace_.tracks.size()));
  if (!is_new) return known->second;
  Track& track = trace_.tracks.emplace_back();
  const auto number = [&](std::int64_t id) {
    return trace_.strings.intern(id == absent ? std::string() : std::to_string(id));
  };
  track.pid = number(process);
  track.tid = number(thread);
  return known->second;
}

TrackId Recording::lane_track(const Work& work, bool streams) {
  const std::tuple key{work.process, work.device, streams ? work.stream : work.queue};
  const auto [known, is_new] = lanes_.try_emplace(key, static_cast<TrackId>(trace_.tracks.size()));
  if (is_new) trace_.tracks.emplace_back().gpu = true;
  return known->second;
}

void Recording::name_lanes(bool streams) {
  std::map<std::pair<std::int64_t, std::int64_t>, int> users;  // processes with the same stream of a GPU
  for (const auto& [key, id] : lanes_) ++users[{std::get<1>(key), std::get<2>(key)}];
  for (const auto& [key, id] : lanes_) {
    const auto [process, device, lane] = key;
    Track& track = trace_.tracks[id];
    track.device = device;
    track.stream = lane;
    track.pid = trace_.strings.intern(device == absent ? std::string() : std::to_string(device));
    if (device != absent) track.process_labels = trace_.strings.intern(fmt::format("GPU {}", device));
    std::string tid = lane == absent ? "copies" : std::to_string(lane);
    std::string name = lane == absent ? tid : fmt::format("{} {}", streams ? "stream" : "queue", tid);
    track.tid_is_text = lane == absent;
    if (users[{device, lane}] > 1 && process != absent) {
      const std::string of = fmt::format(" (process {})", process);
      tid += of;
      name += of;
      track.tid_is_text = true;
    }
    track.tid = trace_.strings.intern(tid);
    track.name = trace_.strings.intern(name);
  }
}

// A program may use one stream and several queues, or make new streams all the time: work on hundreds of them is on few
// queues.
bool Recording::by_streams() const {
  constexpr std::size_t most_streams = 64;
  std::set<std::int64_t> streams;
  for (const Placed& one : work_) {
    if (one.work.stream != absent) streams.insert(one.work.stream);
    if (streams.size() > most_streams) return false;
  }
  return streams.size() > 1;
}

void Recording::finish() {
  const bool streams = by_streams();
  Slices& rows = trace_.slices;
  for (Placed& placed : work_) {
    Work& work = placed.work;
    if (work.process == absent && processes_.size() == 1) work.process = processes_.front();
    rows.track[placed.row] = lane_track(work, streams);
    const auto fill = [&](auto& detail) {
      detail.device = work.device;
      detail.stream = streams ? work.stream : work.queue;
      detail.correlation = unique_correlation(work.process, work.correlation);
    };
    if (rows.kind[placed.row] == SliceKind::kernel)
      fill(trace_.kernels[rows.detail[placed.row]]);
    else
      fill(trace_.transfers[rows.detail[placed.row]]);
  }
  for (const Placed& call : calls_)
    trace_.calls[rows.detail[call.row]].correlation = unique_correlation(call.work.process, call.work.correlation);
  name_lanes(streams);
  for (const auto& [key, id] : threads_)
    if (const auto name = process_names_.find(key.first); name != process_names_.end())
      trace_.tracks[id].process_name = name->second;
  Problems linking;
  link(trace_, linking);
  for (const Problem& problem : linking.rows()) {
    if (!problems_.count(problem.kind, problem.byte_offset, problem.count)) continue;
    const bool no_calls = problem.kind == ProblemKind::launch_outside_window && calls_.empty();
    problems_.rows().back().message =
        no_calls ? "calls were not recorded, so that no work has its launch; rocprofv3 --sys-trace records them"
                 : problem.message;
  }
}

std::string copy_name(std::string_view operation) {
  constexpr std::string_view prefix = "MEMORY_COPY_";
  if (operation.starts_with(prefix)) operation.remove_prefix(prefix.size());
  struct CopyDirection {
    std::string_view operation, name;
  };
  constexpr std::array directions = {CopyDirection{"HOST_TO_DEVICE", "Memcpy HtoD (Host -> Device)"},
                                     CopyDirection{"DEVICE_TO_HOST", "Memcpy DtoH (Device -> Host)"},
                                     CopyDirection{"DEVICE_TO_DEVICE", "Memcpy DtoD (Device -> Device)"},
                                     CopyDirection{"HOST_TO_HOST", "Memcpy HtoH (Host -> Host)"}};
  const auto found = std::ranges::find(directions, operation, &CopyDirection::operation);
  return std::string(found == directions.end() ? operation : found->name);
}

std::array<std::int32_t, 3> checked_block(const std::array<std::int64_t, 3>& block) {
  std::array<std::int32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (block[i] <= 0 || block[i] > 0x7fffffff) return {};
    out[i] = static_cast<std::int32_t>(block[i]);
  }
  return out;
}

std::array<std::int32_t, 3> blocks_of(const std::array<std::int64_t, 3>& threads,
                                      const std::array<std::int64_t, 3>& block) {
  std::array<std::int64_t, 3> blocks{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (threads[i] <= 0 || block[i] <= 0) return {};
    blocks[i] = (threads[i] - 1) / block[i] + 1;
  }
  return checked_block(blocks);
}

}  // namespace warpwalk::trace::rocm
