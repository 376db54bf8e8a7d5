// The part of TraceBuilder about launches that are recorded with their memory, and about the recorder's own work for
// it.
#include <algorithm>

#include "instrumentation/trace_builder.h"

namespace warpwalk::recording {
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

void TraceBuilder::add_row(const InsideWork& row) { own_work_.push_back({row.time, 0, row.thread}); }

void TraceBuilder::add_row(const InsideWorkEnd& row) {
  for (auto work = own_work_.rbegin(); work != own_work_.rend(); ++work) {
    if (work->thread != row.thread || work->end != 0) continue;
    work->end = row.time;
    slice(trace::SliceKind::overhead, text("recording inside"), {work->start, work->end}, side_track("overhead"), 0, 0);
    return;
  }
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
  own_work_.clear();
  // CUPTI gives calls from within a callback the correlation ID of the launch, which copies and waits for nothing.
  for (const auto& [number, inside] : inside_) own_correlations_.insert(inside.launch.correlation);
  for (const Row& row : rows) {
    if (const auto* const copy = std::get_if<MemcpyRow>(&row);
        copy != nullptr && !own_correlations_.contains(copy->correlation))
      add_row(*copy);
    if (const auto* const sync = std::get_if<SyncRow>(&row);
        sync != nullptr && !own_correlations_.contains(sync->correlation))
      add_row(*sync);
  }
}

void TraceBuilder::add_row(const InsideLaunch& row) {
  run::CapturedLaunch& launch = inside_[row.number].launch;
  launch.entry = row.entry;
  launch.correlation = row.correlation;
  launch.dynamic_shared_bytes = row.dynamic_shared;
  launch.grid = row.grid;
  launch.block = row.block;
  launch.cluster = row.cluster;
  launch.cooperative = row.cooperative != 0;
}

void TraceBuilder::add_row(const InsideRange& row) {
  std::vector<run::CapturedRange>& memory = inside_[row.launch].launch.memory;
  if (row.range != memory.size() || row.bytes > most_bytes) return;
  run::CapturedRange& range = memory.emplace_back();
  range.address = row.address;
  range.before.reserve(row.bytes);
}

void TraceBuilder::add_row(const InsidePart& row) {
  run::CapturedLaunch& launch = inside_[row.launch].launch;
  switch (row.kind) {
    case InsidePart::parameters: return put(launch.parameters, row.offset, row.bytes);
    case InsidePart::before:
      if (row.index < launch.memory.size()) put(launch.memory[row.index].before, row.offset, row.bytes);
      return;
    case InsidePart::after: {
      if (row.index >= launch.memory.size()) return;
      run::CapturedRange& range = launch.memory[row.index];
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
    default: return;
  }
}

void TraceBuilder::add_row(const InsideEnd& row) {
  const auto found = inside_.find(row.launch);
  if (found == inside_.end()) return;
  Inside& inside = found->second;
  if (row.result != 0) {
    account_.warnings.push_back("a launch of " + inside.launch.entry + " that was recorded inside failed");
    return;
  }
  for (run::CapturedRange& range : inside.launch.memory)
    if (range.after.size() != range.before.size()) range.after = range.before;
  inside.launch.launched_ns = since_base(row.launched);
  inside.launch.completed_ns = since_base(row.completed);
  inside.complete = true;
}

}  // namespace warpwalk::recording
