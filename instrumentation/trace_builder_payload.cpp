// The part of TraceBuilder about the payloads of NVTX ranges, and about NCCL, which has them.
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "core/trace/json/json_text.h"
#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {
namespace {

// More fields than this mean that rows are damaged.
constexpr std::size_t max_range_fields = 256;

std::string json_number(std::uint32_t kind, std::uint64_t value) {
  if (kind == PayloadRow::signed_number) return std::to_string(static_cast<std::int64_t>(value));
  if (kind != PayloadRow::real_number) return std::to_string(value);
  const double real = std::bit_cast<double>(value);
  return std::isfinite(real) ? fmt::format("{}", real) : "null";
}

}  // namespace

void TraceBuilder::add_row(const PayloadRow& row) {
  Range* range = nullptr;
  if (row.range != 0) {
    const auto found = open_.find(row.range);
    if (found != open_.end()) range = &found->second;
  } else if (const auto stack = stacks_.find({row.thread, row.domain});
             stack != stacks_.end() && !stack->second.empty()) {
    range = &stack->second.back();
  }
  if (range == nullptr || range->fields.size() >= max_range_fields) return;
  range->fields.push_back({name(row.key), text(row.text), row.kind, row.value});
}

std::string TraceBuilder::payload_json(const Range& range) const {
  std::string json;
  for (const RangeField& field : range.fields) {
    if (!json.empty()) json += ", ";
    trace::append_quoted(json, trace_.text(field.key));
    json += ": ";
    if (field.kind == PayloadRow::words)
      trace::append_quoted(json, trace_.text(field.text));
    else
      json += json_number(field.kind, field.value);
  }
  return json;
}

NcclRange TraceBuilder::nccl_range(const Range& range, std::size_t slice) const {
  NcclRange out;
  out.thread = range.thread;
  out.function = trace_.text(range.text);
  out.slice = slice;
  for (const RangeField& field : range.fields) {
    const std::string_view key = trace_.text(field.key);
    const auto number = static_cast<std::int64_t>(field.value);
    if (key == nccl_fields::communicator) out.communicator = field.value;
    if (key == nccl_fields::bytes || key == nccl_fields::bytes_before_2_25) out.bytes = field.value;
    if (key == nccl_fields::ranks) out.ranks = number;
    if (key == nccl_fields::rank) out.rank = number;
    if (key == nccl_fields::root) out.root = number;
    if (key == nccl_fields::peer) out.peer = number;
    if (key == nccl_fields::operation && field.kind == PayloadRow::words) out.operation = trace_.text(field.text);
    out.derived = out.derived || key == nccl_fields::parent || key == nccl_fields::excluded;
  }
  return out;
}

void TraceBuilder::complete_nccl() {
  for (const auto& [slice, arguments] : nccl_.arguments(account_.rank)) {
    trace::StringId& extra = trace_.slices.extra[slice];
    extra = text(std::string(trace_.text(extra)) + ", " + arguments);
  }
}

void TraceBuilder::add_distributed_info() {
  if (account_.rank)
    trace_.metadata.emplace_back(text("distributedInfo"), text(nccl_.distributed_info(*account_.rank)));
}

}  // namespace warpwalk::instrumentation
