#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::run {

/// Where what a buffer holds before a kernel comes from, when kernels of a trace are run again.
struct ReplayBuffer {
  enum class From : std::uint8_t {
    record,     ///< a generator or bytes that a record keeps
    kernel,     ///< an earlier kernel that is run again
    unwritten,  ///< nothing was ever written there
  };
  std::size_t allocation = 0;  ///< row of Records::allocations
  From from = From::unwritten;
  const trace::InitialBuffer* initial = nullptr;  ///< of `record`: in this kernel's record or an earlier one's
};

/// One kernel to run again, with all buffers that its arguments point into.
struct ReplayStep {
  trace::SliceId kernel = trace::no_slice;
  const trace::KernelRecord* record = nullptr;
  std::vector<ReplayBuffer> buffers;
};

/// The record of a kernel; null if the trace has none.
const trace::KernelRecord* record_of(const trace::Trace& trace, trace::SliceId kernel);

/// The recorded SHA-256 of a buffer after the kernel; empty if none was recorded.
std::string_view digest_of(const trace::KernelRecord& record, std::size_t allocation);

/// What a buffer held, by its record: so many bytes, what the record does not cover zero. Only for what a record keeps
/// (a generator, bytes).
std::vector<std::uint8_t> contents_of(const trace::InitialBuffer& initial);

/// Which kernels have to be simulated, in order, so that the last, `kernel`, finds in its buffers what it found when it
/// was recorded. An earlier kernel that left a buffer as it was, by the digests, is not run for that buffer. The error
/// is one line: what the records do not say.
std::variant<std::vector<ReplayStep>, std::string> plan_replay(const trace::Trace& trace, trace::SliceId kernel);

}  // namespace warpwalk::run
