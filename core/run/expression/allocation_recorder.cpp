#include "core/run/expression/allocation_recorder.h"

#include <utility>

namespace warpwalk::run {

void AllocationRecorder::change(const ops::MemoryChange& change, std::int64_t time) {
  using Kind = ops::MemoryChange::Kind;
  if (change.kind == Kind::free) {
    if (const auto at = live_.find(change.address); at != live_.end()) {
      rows_[at->second].freed_ns = time;
      live_.erase(at);
    }
    return;
  }
  if (change.kind != Kind::allocate) return;
  live_[change.address] = rows_.size();
  trace::Allocation& row = rows_.emplace_back();
  row.device = device_;
  row.address = change.address;
  row.bytes = change.bytes;
  row.rounded_bytes = change.rounded_bytes;
  row.segment = change.segment;
  row.segment_bytes = change.segment_bytes;
  row.allocated_ns = time;
}

std::optional<std::size_t> AllocationRecorder::row_at(std::uint64_t address) const {
  const auto at = live_.find(address);
  if (at == live_.end()) return {};
  return at->second;
}

void AllocationRecorder::set_contents(trace::InitialBuffer initial, std::string sha256) {
  const std::size_t row = initial.allocation;
  contents_[row] = {std::move(initial), false, std::move(sha256)};
}

std::optional<trace::InitialBuffer> AllocationRecorder::content(std::size_t row, ops::DType dtype) const {
  const auto at = contents_.find(row);
  if (at == contents_.end()) return {};
  if (!at->second.produced) return at->second.initial;
  trace::InitialBuffer buffer;
  buffer.allocation = row;
  buffer.dtype = name_of(dtype);
  buffer.count = rows_[row].bytes / bytes_of(dtype);
  buffer.kind = trace::InitialBuffer::Kind::produced;
  return buffer;
}

void AllocationRecorder::after_kernel(std::size_t row, const std::string& sha256) {
  Content& content = contents_[row];
  if (content.sha256 == sha256) return;
  content.sha256 = sha256;
  content.produced = true;
}

}  // namespace warpwalk::run
