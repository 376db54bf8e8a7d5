// Determines which earlier kernels must run again before a kernel.
#include "core/run/replay/replay_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/base/sha256.h"
#include "core/ops/tensor/dtype.h"
#include "core/platform/available_memory.h"
#include "core/run/launch/bind.h"
#include "core/run/launch/generate.h"
#include "core/trace/link.h"

namespace warpwalk::run {
namespace {

using trace::InitialBuffer;
using trace::KernelRecord;
using trace::SliceId;
using trace::Trace;

bool keeps(const InitialBuffer& row) {
  return row.kind != InitialBuffer::Kind::digest && row.kind != InitialBuffer::Kind::produced;
}

const InitialBuffer* row_of(const KernelRecord& record, std::size_t allocation) {
  const auto found = std::ranges::find(record.buffers, allocation, &InitialBuffer::allocation);
  return found == record.buffers.end() ? nullptr : &*found;
}

bool touches(const Trace& trace, const KernelRecord& record, std::size_t allocation) {
  const bool is_argument = std::ranges::any_of(record.arguments, [&](const trace::KernelArgument& argument) {
    return argument.kind == trace::KernelArgument::Kind::pointer && argument.allocation == allocation;
  });
  if (is_argument) return true;
  // Few launches have addresses elsewhere, and every earlier kernel is asked.
  const auto has_addresses = [](const auto& row) { return !row.addresses.empty(); };
  const auto& allocations = trace.records.allocations;
  const bool is_variable = allocation < allocations.size() && !allocations[allocation].variable.empty();
  if (!is_variable && std::ranges::none_of(record.arguments, has_addresses) &&
      std::ranges::none_of(record.buffers, has_addresses))
    return false;
  return std::ranges::count(allocations_of(trace, record), allocation) != 0;
}

/// Kernels in GPU execution order: by start, else by launch. Records are written in that order.
std::vector<SliceId> in_order(const Trace& trace) {
  std::vector<SliceId> kernels;
  for (const SliceId kernel : trace.kernel_order)
    if (record_of(trace, kernel) != nullptr) kernels.push_back(kernel);
  const auto key = [&](SliceId kernel) {
    std::int64_t start = trace.slices.start[kernel];
    const bool timed = start != 0 || trace.slices.duration[kernel] != 0;
    if (const SliceId launch = trace::launch_of(trace, kernel); !timed && launch != trace::no_slice)
      start = trace.slices.start[launch];
    return std::pair{start, trace.kernels[trace.slices.detail[kernel]].record};
  };
  std::ranges::sort(kernels, {}, key);
  return kernels;
}

/// Searches backward from one kernel for records that hold the contents of its buffers.
class Planner {
 public:
  Planner(const Trace& trace, SliceId kernel) : trace_(trace), kernels_(in_order(trace)) {
    const auto last = std::ranges::find(kernels_, kernel);
    kernels_.erase(last + 1, kernels_.end());
  }

  base::Result<std::vector<ReplayStep>> plan() {
    wanted_.insert(kernels_.size() - 1);
    // Latest first: a kernel depends only on earlier ones.
    std::vector<ReplayStep> steps;
    while (!wanted_.empty()) {
      const std::size_t at = *wanted_.rbegin();
      wanted_.erase(at);
      ReplayStep& step = steps.emplace_back();
      step.kernel = kernels_[at];
      step.record = &record(at);
      for (const std::size_t allocation : allocations_of(trace_, *step.record)) {
        if (allocation >= trace_.records.allocations.size())
          return base::Error{fmt::format("the record of {} names allocation {}, which is out of range (there are {})",
                                         step.record->entry, allocation, trace_.records.allocations.size())};
        if (counted_.insert(allocation).second) bytes_ += trace_.records.allocations[allocation].bytes;
        if (bytes_ > room_)
          return base::Error{fmt::format("its buffers need more than the {} of memory that are free here",
                                         base::bytes_text(static_cast<double>(room_)))};
        auto found = source_of(at, allocation);
        if (!found) return base::Error{found.error()};
        step.buffers.push_back(*found);
      }
    }
    std::ranges::reverse(steps);
    return steps;
  }

 private:
  const KernelRecord& record(std::size_t at) const { return *record_of(trace_, kernels_[at]); }

  /// The latest kernel before this one that has the buffer as an argument.
  std::optional<std::size_t> before(std::size_t at, std::size_t allocation) const {
    while (at-- > 0)
      if (touches(trace_, record(at), allocation)) return at;
    return {};
  }

  std::string name(std::size_t allocation) const {
    const std::string& name = trace_.records.allocations[allocation].name;
    return name.empty() ? fmt::format("buffer {}", allocation) : fmt::format("buffer {}", name);
  }

  base::Result<ReplayBuffer> source_of(std::size_t at, std::size_t allocation) {
    using From = ReplayBuffer::From;
    const InitialBuffer* const row = row_of(record(at), allocation);
    if (row != nullptr && keeps(*row)) return checked(*row);
    std::optional<std::size_t> from = before(at, allocation);
    if (!from) {
      if (row == nullptr) return ReplayBuffer{allocation, From::unwritten, nullptr};
      if (row->kind == InitialBuffer::Kind::digest)
        return base::Error{fmt::format(
            "the contents of {} before {} are larger than {}, so only their digest is recorded", name(allocation),
            record(at).entry, base::bytes_text(static_cast<double>(trace::max_initial_bytes)))};
      return base::Error{
          fmt::format("{} was written by an earlier kernel, which is not in this trace", name(allocation))};
    }
    // While the digests show that a kernel did not change the buffer, continue with the kernel before it.
    const std::string_view digest = digest_of(record(*from), allocation);
    while (!digest.empty()) {
      const InitialBuffer* const held = row_of(record(*from), allocation);
      if (held != nullptr && keeps(*held) && check(*held) && base::sha256(contents_of(*held)) == digest)
        return ReplayBuffer{allocation, From::record, held};
      const std::optional<std::size_t> earlier = before(*from, allocation);
      if (!earlier || digest_of(record(*earlier), allocation) != digest) break;
      from = earlier;
    }
    wanted_.insert(*from);
    return ReplayBuffer{allocation, From::kernel, nullptr};
  }

  base::Result<void> check(const InitialBuffer& row) const {
    const std::optional<ops::DType> dtype = ops::dtype_of(row.dtype);
    if (!dtype)
      return base::Error{
          fmt::format("the record gives {} the unknown element type {}", name(row.allocation), row.dtype)};
    const std::uint64_t room = trace_.records.allocations[row.allocation].bytes;
    if (row.kind == InitialBuffer::Kind::bytes ? row.bytes.size() > room : row.count > room / bytes_of(*dtype))
      return base::Error{
          fmt::format("the record puts more data into {} than its {} bytes", name(row.allocation), room)};
    for (const auto& [first, count] : row.written)
      if (first > row.count || count > row.count - first)
        return base::Error{fmt::format("the record says that elements {} to {} of {} were written, which has {}", first,
                                       first + count, name(row.allocation), row.count)};
    constexpr double exact = std::int64_t{1} << 53;
    if (row.kind == InitialBuffer::Kind::fill && !is_float(*dtype) && !(std::abs(row.value) <= exact))
      return base::Error{fmt::format("the record fills {} with {}, which is not a valid {}", name(row.allocation),
                                     row.value, row.dtype)};
    return {};
  }

  base::Result<ReplayBuffer> checked(const InitialBuffer& row) const {
    if (auto done = check(row); !done) return base::Error{done.error()};
    return ReplayBuffer{row.allocation, ReplayBuffer::From::record, &row};
  }

  const Trace& trace_;
  std::vector<SliceId> kernels_;   // up to the requested one
  std::set<std::size_t> wanted_;   // rows of kernels_ that must run
  std::set<std::size_t> counted_;  // allocations included in bytes_
  std::uint64_t bytes_ = 0;
  const std::uint64_t room_ = platform::available_memory() / 2;  // half: the state before the last launch is also kept
};

}  // namespace

const KernelRecord* record_of(const Trace& trace, SliceId kernel) {
  if (kernel >= trace.slices.size() || trace.slices.kind[kernel] != trace::SliceKind::kernel) return nullptr;
  const std::int64_t row = trace.kernels[trace.slices.detail[kernel]].record;
  if (row < 0 || static_cast<std::uint64_t>(row) >= trace.records.kernels.size()) return nullptr;
  return &trace.records.kernels[static_cast<std::size_t>(row)];
}

std::string_view digest_of(const KernelRecord& record, std::size_t allocation) {
  const auto found = std::ranges::find(record.digests, allocation, &trace::BufferDigest::allocation);
  return found == record.digests.end() ? std::string_view() : std::string_view(found->sha256);
}

std::vector<std::size_t> allocations_of(const Trace& trace, const KernelRecord& record) {
  std::vector<std::size_t> all;
  const auto add = [&](std::size_t allocation) {
    if (allocation != trace::no_record && std::ranges::count(all, allocation) == 0) all.push_back(allocation);
  };
  const auto add_fields = [&](const std::vector<trace::AddressField>& fields) {
    for (const trace::AddressField& field : fields) add(field.allocation);
  };
  for (const trace::KernelArgument& argument : record.arguments)
    if (argument.kind == trace::KernelArgument::Kind::pointer) add(argument.allocation);
  for (const trace::KernelArgument& argument : record.arguments) add_fields(argument.addresses);
  const auto add_variable = [&](const auto& row) {
    const auto& allocations = trace.records.allocations;
    if (row.allocation < allocations.size() && !allocations[row.allocation].variable.empty()) add(row.allocation);
  };
  std::ranges::for_each(record.digests, add_variable);
  std::ranges::for_each(record.buffers, add_variable);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const InitialBuffer* const row = row_of(record, all[i])) add_fields(row->addresses);
  return all;
}

std::vector<std::uint8_t> contents_of(const InitialBuffer& initial) {
  if (initial.kind == InitialBuffer::Kind::bytes) return initial.bytes;
  const ops::DType dtype = *ops::dtype_of(initial.dtype);
  Fill fill = FillIota{};
  if (initial.kind == InitialBuffer::Kind::random) {
    fill = FillRandom{initial.seed};
  } else if (initial.kind == InitialBuffer::Kind::fill) {
    fill = FillValue{is_float(dtype) ? float_bits(dtype, initial.value)
                                     : static_cast<std::uint64_t>(static_cast<std::int64_t>(initial.value))};
  }
  std::vector<std::uint8_t> bytes(initial.count * bytes_of(dtype));
  generate(dtype, fill, bytes);
  if (initial.written.empty()) return bytes;
  std::vector<std::uint8_t> parts(bytes.size());
  for (const auto& [first, count] : initial.written)
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(first * bytes_of(dtype)), count * bytes_of(dtype),
                parts.begin() + static_cast<std::ptrdiff_t>(first * bytes_of(dtype)));
  return parts;
}

base::Result<std::vector<ReplayStep>> plan_replay(const Trace& trace, SliceId kernel) {
  return Planner(trace, kernel).plan();
}

}  // namespace warpwalk::run
