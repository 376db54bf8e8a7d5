#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// The origin of a buffer's contents before a kernel, when kernels of a trace are run again.
struct ReplayBuffer {
  enum class From : std::uint8_t {
    record,     ///< a generator or bytes stored in a record
    kernel,     ///< an earlier kernel that is run again
    unwritten,  ///< never written
  };
  std::size_t allocation = 0;  ///< row of Records::allocations
  From from = From::unwritten;
  const trace::InitialBuffer* initial = nullptr;  ///< for From::record: in the record of this kernel or an earlier one
};

/// One kernel to run again, with all buffers that its arguments point to.
struct ReplayStep {
  trace::SliceId kernel = trace::no_slice;
  const trace::KernelRecord* record = nullptr;
  std::vector<ReplayBuffer> buffers;
};

/// The record of a kernel; null if the trace has none.
const trace::KernelRecord* record_of(const trace::Trace& trace, trace::SliceId kernel);

/// The recorded SHA-256 of a buffer after the kernel; empty if none was recorded.
std::string_view digest_of(const trace::KernelRecord& record, std::size_t allocation);

/// The allocations that a launch can access, each once: those that its arguments point to, in order, then those that
/// structs and other buffers hold the addresses of, and the module's variables.
std::vector<std::size_t> allocations_of(const trace::Trace& trace, const trace::KernelRecord& record);

/// The recorded contents of a buffer; bytes that the record does not cover are 0. Only for records that store the
/// contents (a generator or bytes).
std::vector<std::uint8_t> contents_of(const trace::InitialBuffer& initial);

/// Returns the kernels to simulate, in order, so that the last one, `kernel`, finds the same buffer contents as when it
/// was recorded. An earlier kernel that did not change a buffer, according to the digests, is not run for that buffer.
/// On failure, returns a one-line error that names the data missing from the records.
base::Result<std::vector<ReplayStep>> plan_replay(const trace::Trace& trace, trace::SliceId kernel);

}  // namespace warpwalk::run
