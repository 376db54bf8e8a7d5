#include "instrumentation/cuda/merge_recording.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace warpwalk::cuda {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

/// Merges the record into the walk, converting its times and strings to those of the walk.
class RecordingMerger {
 public:
  RecordingMerger(const Trace& record, std::string_view recorder, Trace& walk)
      : record_(record), recorder_(recorder), walk_(walk), clock_offset_(record.base_time_ns - walk.base_time_ns) {}

  base::Result<void> run() {
    std::vector<SliceId> kernels(record_.kernel_order.begin(), record_.kernel_order.end());
    std::erase_if(kernels, [&](SliceId s) { return record_.slices.kind[s] != SliceKind::kernel; });
    std::ranges::sort(kernels, {}, [&](SliceId s) { return detail_of(record_, s).correlation; });
    const std::size_t wanted = walk_.kernels.size();
    if (kernels.size() < wanted)
      return base::Error{fmt::format("CUPTI recorded {} of the {} kernels of this run", kernels.size(), wanted)};
    kernels.erase(kernels.begin(), kernels.end() - static_cast<std::ptrdiff_t>(wanted));
    find_span();
    for (SliceId s = 0; s < walk_.slices.size(); ++s) {
      if (walk_.slices.kind[s] == SliceKind::kernel)
        fill_kernel(s, kernels[static_cast<std::size_t>(detail_of(walk_, s).correlation - 1)]);
      if (walk_.slices.kind[s] == SliceKind::runtime) fill_call(s, kernels);
    }
    for (SliceId s = 0; s < record_.slices.size(); ++s) add(s);
    for (const trace::Device& device : record_.devices) {
      walk_.devices.push_back(device);
      walk_.devices.back().name = text(device.name);
    }
    walk_.records.sources.push_back({"kernels", source(), trace::Origin::measured});
    return {};
  }

 private:
  static const trace::KernelDetail& detail_of(const Trace& of, SliceId s) { return of.kernels[of.slices.detail[s]]; }
  trace::StringId text(trace::StringId of_record) { return walk_.strings.intern(record_.text(of_record)); }
  std::int64_t to_walk_time(std::int64_t time) const { return time == trace::absent ? time : time + clock_offset_; }

  void find_span() {
    for (SliceId s = 0; s < walk_.slices.size(); ++s) {
      if (walk_.slices.kind[s] != SliceKind::annotation) continue;
      from_ = std::min(from_, walk_.slices.start[s]);
      to_ = std::max(to_, walk_.slices.end(s));
      host_track_ = walk_.slices.track[s];
    }
  }

  void fill_kernel(SliceId to, SliceId from) {
    const trace::KernelDetail& known = detail_of(record_, from);
    trace::KernelDetail& detail = walk_.kernels[walk_.slices.detail[to]];
    walk_.slices.start[to] = to_walk_time(record_.slices.start[from]);
    walk_.slices.duration[to] = record_.slices.duration[from];
    const std::int64_t record = detail.record, op = detail.external_id;
    detail = known;
    detail.record = record;
    if (detail.external_id == trace::absent) detail.external_id = op;
    detail.queued = to_walk_time(known.queued);
    detail.submitted = to_walk_time(known.submitted);
    detail.launch = trace::no_slice;
    trace::Track& track = walk_.tracks[walk_.slices.track[to]];
    track.pid = walk_.strings.intern(fmt::to_string(known.device));
    track.tid = walk_.strings.intern(fmt::to_string(known.stream));
    track.name = walk_.strings.intern(fmt::format("stream {}", known.stream));
    gpu_track_ = walk_.slices.track[to];
    if (record < 0 || static_cast<std::size_t>(record) >= walk_.records.kernels.size()) return;
    trace::KernelRecord& row = walk_.records.kernels[static_cast<std::size_t>(record)];
    row.registers = static_cast<std::uint32_t>(std::max<std::int64_t>(known.registers, 0));
    row.registers_origin = "cubin";
    row.measured_by = recorder_;
  }

  void fill_call(SliceId call, const std::vector<SliceId>& kernels) {
    trace::CallDetail& detail = walk_.calls[walk_.slices.detail[call]];
    if (walk_.name(call) != "cudaLaunchKernel" || detail.correlation < 1) return;
    const SliceId kernel = kernels[static_cast<std::size_t>(detail.correlation - 1)];
    detail.correlation = detail_of(record_, kernel).correlation;
    const SliceId from = detail_of(record_, kernel).launch;
    if (from == trace::no_slice) return;
    detail.cbid = record_.calls[record_.slices.detail[from]].cbid;
    // The walk's own times enclose the call if both clocks agree; CUPTI's times are those of the call itself.
    const std::int64_t begin = to_walk_time(record_.slices.start[from]), end = begin + record_.slices.duration[from];
    const std::int64_t outside = std::max(walk_.slices.start[call] - begin, end - walk_.slices.end(call));
    ++calls_;
    calls_outside_ += outside > 0;
    max_outside_ns_ = std::max(max_outside_ns_, outside);
    walk_.slices.start[call] = begin;
    walk_.slices.duration[call] = end - begin;
  }

  std::string source() const {
    if (calls_outside_ == 0) return recorder_;
    return fmt::format(
        "{}; its clock differs from the host's: {} of {} launch calls are up to {:.3f} us outside the "
        "times at which the host made them",
        recorder_, calls_outside_, calls_, static_cast<double>(max_outside_ns_) / 1e3);
  }

  void add(SliceId from) {
    const SliceKind kind = record_.slices.kind[from];
    const std::string_view name = record_.name(from);
    const std::int64_t start = to_walk_time(record_.slices.start[from]);
    const bool copy = kind == SliceKind::memcpy || kind == SliceKind::memset;
    const bool call = kind == SliceKind::runtime && !name.starts_with("cudaLaunchKernel") &&
                      !name.starts_with("cudaDeviceSynchronize");
    if ((!copy && !call) || start < from_ || start > to_ || (copy && !gpu_track_)) return;
    std::uint32_t detail = 0;
    if (call) {
      detail = static_cast<std::uint32_t>(walk_.calls.size());
      walk_.calls.push_back(record_.calls[record_.slices.detail[from]]);
    } else {
      detail = static_cast<std::uint32_t>(walk_.transfers.size());
      walk_.transfers.push_back(record_.transfers[record_.slices.detail[from]]);
      walk_.transfers[detail].launch = trace::no_slice;
    }
    trace::Slices& rows = walk_.slices;
    rows.start.push_back(start);
    rows.duration.push_back(record_.slices.duration[from]);
    rows.name.push_back(text(record_.slices.name[from]));
    rows.extra.push_back(text(record_.slices.extra[from]));
    rows.track.push_back(call ? host_track_ : *gpu_track_);
    rows.detail.push_back(detail);
    rows.kind.push_back(kind);
  }

  const Trace& record_;
  const std::string recorder_;
  Trace& walk_;
  const std::int64_t clock_offset_;
  std::int64_t from_ = std::numeric_limits<std::int64_t>::max(), to_ = std::numeric_limits<std::int64_t>::min();
  trace::TrackId host_track_ = 0;
  std::optional<trace::TrackId> gpu_track_;
  std::size_t calls_ = 0, calls_outside_ = 0;
  std::int64_t max_outside_ns_ = 0;  // ns
};

}  // namespace

base::Result<void> merge_recording(const Trace& record, std::string_view recorder, Trace& walk) {
  return RecordingMerger(record, recorder, walk).run();
}

}  // namespace warpwalk::cuda
