// The host part of TraceBuilder: API calls, NVTX ranges, overhead.
#include <algorithm>

#include <fmt/format.h>

#include "core/trace/json/json_text.h"
#include "instrumentation/cupti_names.h"
#include "instrumentation/nvtx_op.h"
#include "instrumentation/recording_names.h"
#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::string_view ranges_track = "NVTX ranges";
constexpr std::string_view nccl_domain = "NCCL";

std::string domain_extra(std::string_view domain) {
  if (domain.empty()) return {};
  std::string extra = "\"domain\": ";
  trace::append_quoted(extra, domain);
  return extra;
}

}  // namespace

void TraceBuilder::add_row(const CallRow& row) {
  if (is_own(row)) return;
  trace::CallDetail detail;
  detail.cbid = row.cbid;
  detail.correlation = row.correlation;
  const std::string_view known = strip_version_suffix(trace_.text(name(row.name)));
  const std::string plain = known.empty() ? fmt::format("function {}", row.cbid) : std::string(known);
  trace_.calls.push_back(detail);
  slice(row.driver != 0 ? trace::SliceKind::driver : trace::SliceKind::runtime, text(plain), {row.start, row.end},
        thread_track(row.thread), trace_.calls.size() - 1,
        row.result == 0 ? 0 : text(fmt::format("\"result\": {}", row.result)));
}

void TraceBuilder::add_row(const OverheadRow& row) {
  // Overhead has its own track: it may belong to no thread, or overlap a thread's calls.
  slice(trace::SliceKind::overhead, text(overhead_kind_name(row.kind)), {row.start, row.end}, side_track("overhead"), 0,
        row.thread == 0 ? 0 : text(fmt::format("\"thread\": {}", row.thread)));
}

void TraceBuilder::add_row(const ExternalRow& row) { external_ids_[row.correlation] = row.id; }

void TraceBuilder::add_row(const PushRow& row) {
  last_ = std::max(last_, row.time);
  stacks_[{row.thread, row.domain}].push_back({row.time, text(row.text), row.thread, row.domain, {}});
}

void TraceBuilder::add_row(const PopRow& row) {
  last_ = std::max(last_, row.time);
  std::vector<Range>& stack = stacks_[{row.thread, row.domain}];
  if (row.domain == 0) last_op_end_ = std::max(last_op_end_, row.time);
  if (stack.empty()) return;  // pushed before the recording began
  range(stack.back(), row.time, thread_track(row.thread), true);
  stack.pop_back();
}

void TraceBuilder::add_row(const RangeStartRow& row) {
  last_ = std::max(last_, row.time);
  open_[row.id] = {row.time, text(row.text), row.thread, row.domain, {}};
}

void TraceBuilder::add_row(const RangeEndRow& row) {
  last_ = std::max(last_, row.time);
  const auto found = open_.find(row.id);
  if (found == open_.end()) return;
  range(found->second, row.time, side_track(ranges_track), true);
  open_.erase(found);
}

void TraceBuilder::add_row(const MarkRow& row) {
  instant(row.time, "nvtx", text(row.text), thread_track(row.thread), domain_extra(trace_.text(name(row.domain))));
}

// Only ranges of the default domain can be PyTorch's; other domains belong to libraries (NCCL, CCCL).
void TraceBuilder::range(const Range& range, std::uint64_t end, trace::TrackId track, bool finished) {
  const std::string_view domain = trace_.text(name(range.domain));
  if (domain == python_lines_domain) {
    // A line that is open at the end has ended with its last op.
    if (!finished) end = std::max(range.time, last_op_end_);
    trace_.python.push_back({.id = static_cast<std::int64_t>(trace_.python.size() + 1)});
    return slice(trace::SliceKind::python, range.text, {range.time, end}, track, trace_.python.size() - 1, 0);
  }
  const bool nccl = domain == nccl_domain;
  std::string extra = domain_extra(domain);
  if (const std::string payload = nccl ? "" : payload_json(range); !payload.empty())
    extra += (extra.empty() ? "" : ", ") + payload;
  if (!finished) {
    extra += extra.empty() ? "\"warpwalk unfinished\": true" : ", \"warpwalk unfinished\": true";
    ++account_.unfinished;
  }
  trace::OpDetail detail;
  trace::SliceKind kind = trace::SliceKind::annotation;
  trace::StringId named = range.text;
  if (domain.empty()) {
    const NvtxOp op = parse_nvtx(trace_.text(range.text));
    if (op.op) kind = trace::SliceKind::op;
    if (op.sequence) detail.sequence = *op.sequence;
    if (op.op_id) detail.record_function = *op.op_id;
    if (!op.input_dims.empty()) detail.input_dims = text(op.input_dims);
    named = text(op.name);
  }
  trace_.ops.push_back(detail);
  slice(kind, named, {range.time, end}, track, trace_.ops.size() - 1, text(extra));
  if (nccl) nccl_.add(nccl_range(range, trace_.slices.size() - 1));
}

// Closes the ranges whose end was not recorded.
void TraceBuilder::close_ranges() {
  for (const auto& [of, stack] : stacks_)
    for (const Range& open : stack) range(open, last_, thread_track(open.thread), false);
  for (const auto& [id, open] : open_) range(open, last_, side_track(ranges_track), false);
  stacks_.clear();
  open_.clear();
}

}  // namespace warpwalk::instrumentation
