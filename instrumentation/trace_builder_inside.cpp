// The part of TraceBuilder about launches that are recorded with their memory, and about the recorder's own work for
// it.
#include <algorithm>
#include <limits>

#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {
namespace {

/// More memory than any recording has means that the row is damaged.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 38;

/// Puts bytes at an offset of a vector, which grows as needed.
void put(std::vector<std::uint8_t>& to, std::uint64_t offset, std::string_view bytes) {
  if (offset > most_bytes) return;
  to.resize(std::max<std::size_t>(to.size(), offset + bytes.size()));
  std::ranges::copy(bytes, to.begin() + static_cast<std::ptrdiff_t>(offset));
}

}  // namespace

void TraceBuilder::add_row(const InsideWork& row) { own_work_.push_back({row.time, 0, row.thread, 0}); }

void TraceBuilder::add_row(const InsideWorkEnd& row) {
  const auto work = std::find_if(own_work_.rbegin(), own_work_.rend(),
                                 [&](const Work& one) { return one.thread == row.thread && one.end == 0; });
  if (work != own_work_.rend()) work->end = row.time;
}

bool TraceBuilder::is_own(const CallRow& row) {
  for (const Work& work : own_work_)
    if (work.thread == row.thread && row.start >= work.start && (work.end == 0 || row.end <= work.end)) {
      own_correlations_.insert(row.correlation);
      return true;
    }
  return false;
}

bool TraceBuilder::hold_back(const Row& row, std::uint64_t start) {
  const bool possible = std::ranges::any_of(
      own_work_, [&](const Work& work) { return start >= work.start && (work.end == 0 || start <= work.end); });
  if (possible) held_back_.push_back(row);
  return possible;
}

void TraceBuilder::add_held_back() {
  std::vector<Row> rows = std::move(held_back_);
  const std::vector<Work> own_work = std::move(own_work_);
  own_work_.clear();  // now rows are added
  // CUPTI gives calls from within a callback the correlation ID of the launch, which copies and waits for nothing.
  std::set<std::uint32_t> graphs;  // the recorder runs kernels of these graphs itself
  for (const auto& [number, inside] : inside_) {
    own_correlations_.insert(inside.launch.correlation);
    if (inside.launch.graph_kernel != 0) graphs.insert(inside.launch.correlation);
  }
  for (const Row& row : rows) {
    if (const auto* const copy = std::get_if<MemcpyRow>(&row);
        copy != nullptr && !own_correlations_.contains(copy->correlation))
      add_row(*copy);
    if (const auto* const sync = std::get_if<SyncRow>(&row);
        sync != nullptr && !own_correlations_.contains(sync->correlation))
      add_row(*sync);
    if (const auto* const set = std::get_if<MemsetRow>(&row); set != nullptr && !graphs.contains(set->correlation))
      add_row(*set);
    if (const auto* const kernel = std::get_if<KernelRow>(&row);
        kernel != nullptr && !graphs.contains(kernel->correlation))
      add_row(*kernel);
  }
  for (auto& [number, inside] : inside_) add_kernel_of(inside, own_work);
  cut_out(own_work);
}

/// Adds the kernel of a launch that failed, or had not ended: the profiler does not report it. Nobody has measured how
/// long it ran.
void TraceBuilder::add_kernel_of(Inside& inside, const std::vector<Work>& own_work) {
  run::LaunchRecording& launch = inside.launch;
  // Without the end of this work, the recorder had not read all of the launch's memory.
  if (!inside.ended && launch.graph_kernel == 0 && inside.reading < own_work.size() &&
      own_work[inside.reading].end != 0)
    launch.failed = inside.complete = true;
  if (!launch.failed) return;
  for (std::size_t i = 0; i < trace_.kernels.size(); ++i)
    if (trace_.kernels[i].correlation == launch.correlation) return;
  names_.push_back(text(launch.entry));
  KernelRow row;
  row.name = static_cast<std::uint32_t>(names_.size() - 1);
  row.correlation = launch.correlation;
  row.dynamic_shared = launch.dynamic_shared_bytes;
  row.grid = launch.grid, row.block = launch.block, row.cluster = launch.cluster;
  add_row(row);
}

/// The time to cut out of a pause after a launch. The kernel runs in it, as it would have run beside the program. Work
/// after the pause stays after the kernel if it waited for it.
std::int64_t TraceBuilder::pause_without(const Work& work) const {
  const trace::Slices& rows = trace_.slices;
  const std::int64_t begin = static_cast<std::int64_t>(work.start - base_),
                     end = static_cast<std::int64_t>(work.end - base_);
  std::int64_t kernel_end = begin, next = std::numeric_limits<std::int64_t>::max();
  for (trace::SliceId s = 0; s < rows.size(); ++s) {
    const std::uint32_t detail = rows.detail[s];
    if (rows.kind[s] == trace::SliceKind::kernel && trace_.kernels[detail].correlation == work.launch)
      kernel_end = std::max(kernel_end, rows.end(s));
    else if (trace::is_gpu_work(rows.kind[s]) && rows.start[s] >= end)
      next = std::min(next, rows.start[s]);
    else if (trace::is_call(rows.kind[s]) && rows.start[s] >= end &&
             trace_.name(s).find("Synchronize") != std::string_view::npos)
      next = std::min(next, rows.end(s));
  }
  return std::clamp(next - kernel_end, std::int64_t{0}, end - begin);
}

void TraceBuilder::cut_out(const std::vector<Work>& own_work) {
  struct Cut {
    std::int64_t from = 0, length = 0;
  };
  std::vector<Cut> cuts;
  std::int64_t total = 0;
  for (const Work& work : own_work) {
    if (work.end == 0) continue;
    const std::int64_t from = static_cast<std::int64_t>(work.start - base_);
    const std::int64_t length =
        work.launch == 0 ? static_cast<std::int64_t>(work.end - work.start) : pause_without(work);
    cuts.push_back({from, length});
    total += length;
  }
  if (cuts.empty()) return;
  std::ranges::sort(cuts, {}, &Cut::from);
  const auto moved = [&](std::int64_t time, bool gpu) {
    std::int64_t before = 0;
    for (const Cut& cut : cuts) {
      if (time <= cut.from) break;
      // The kernel of a launch runs in the pause after it, and is not moved by that pause.
      if (gpu && time < cut.from + cut.length) break;
      before += std::min(cut.length, time - cut.from);
    }
    return time - before;
  };
  trace::Slices& rows = trace_.slices;
  for (trace::SliceId s = 0; s < rows.size(); ++s) {
    if (rows.start[s] == 0 && rows.duration[s] == 0) continue;  // no times
    const bool gpu = trace::is_gpu_work(rows.kind[s]);
    const std::int64_t start = moved(rows.start[s], gpu);
    rows.duration[s] = gpu ? rows.duration[s] : moved(rows.end(s), false) - start;
    rows.start[s] = start;
  }
  for (std::size_t i = 0; i < trace_.kernels.size(); ++i) {
    trace::KernelDetail& kernel = trace_.kernels[i];
    for (std::int64_t* const time : {&kernel.queued, &kernel.submitted})
      if (*time != trace::absent) *time = moved(*time, true);
  }
  for (std::size_t i = 0; i < trace_.memory.size(); ++i) trace_.memory[i].time = moved(trace_.memory[i].time, false);
  for (std::size_t i = 0; i < trace_.instants.size(); ++i)
    trace_.instants[i].time = moved(trace_.instants[i].time, false);
  account_.cut_out_ns = total;
}

void TraceBuilder::add_row(const InsideLaunch& row) {
  Inside& inside = inside_[row.number];
  const auto open = std::find_if(own_work_.rbegin(), own_work_.rend(), [](const Work& work) { return work.end == 0; });
  if (open != own_work_.rend()) inside.reading = static_cast<std::size_t>(own_work_.rend() - open) - 1;
  run::LaunchRecording& launch = inside.launch;
  launch.entry = row.entry;
  launch.correlation = row.correlation;
  launch.graph_kernel = row.graph_kernel;
  launch.dynamic_shared_bytes = row.dynamic_shared;
  launch.grid = row.grid;
  launch.block = row.block;
  launch.cluster = row.cluster;
  launch.cooperative = row.cooperative != 0;
}

void TraceBuilder::add_row(const InsideRange& row) {
  std::vector<run::RecordedRange>& memory = inside_[row.launch].launch.memory;
  if (row.range != memory.size() || row.bytes > most_bytes) return;
  run::RecordedRange& range = memory.emplace_back();
  range.address = row.address;
  range.before.reserve(row.bytes);
}

void TraceBuilder::add_row(const InsidePart& row) {
  run::LaunchRecording& launch = inside_[row.launch].launch;
  switch (row.kind) {
    case InsidePart::parameters: return put(launch.parameters, row.offset, row.bytes);
    case InsidePart::before:
      if (row.index < launch.memory.size()) put(launch.memory[row.index].before, row.offset, row.bytes);
      return;
    case InsidePart::after: {
      if (row.index >= launch.memory.size()) return;
      run::RecordedRange& range = launch.memory[row.index];
      if (range.after.empty()) range.after = range.before;
      return put(range.after, row.offset, row.bytes);
    }
    case InsidePart::name:
      if (row.index == launch.variables.size()) launch.variables.push_back({std::string(row.bytes), {}});
      return;
    case InsidePart::variable:
      if (row.index < launch.variables.size()) put(launch.variables[row.index].bytes, row.offset, row.bytes);
      return;
    case InsidePart::missing: launch.missing.emplace_back(row.bytes); return;
    case InsidePart::caches: return put(launch.caches, row.offset, row.bytes);
    default: return;
  }
}

void TraceBuilder::add_row(const InsideEnd& row) {
  const auto found = inside_.find(row.launch);
  if (found == inside_.end()) return;
  Inside& inside = found->second;
  for (auto work = own_work_.rbegin(); work != own_work_.rend(); ++work)
    if (work->end == 0 && work->start <= row.completed && work->start >= row.launched) {
      work->launch = inside.launch.correlation;
      break;
    }
  inside.ended = true;
  if (row.result != 0 || launches_failed_) {
    account_.warnings.push_back("a launch of " + inside.launch.entry + " that was recorded inside failed");
    inside.launch.failed = inside.complete = is_kernel_fault(row.result) || launches_failed_;
    return;
  }
  for (run::RecordedRange& range : inside.launch.memory)
    if (range.after.size() != range.before.size()) range.after = range.before;
  inside.complete = true;
}

}  // namespace warpwalk::instrumentation
