#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/ops/tensor/tensor.h"
#include "core/trace/records.h"

namespace warpwalk::ops {

struct Call;

/// A change of a caching allocator. Addresses and sizes in bytes.
struct MemoryChange {
  enum class Kind : std::uint8_t {
    allocate,          ///< a block is handed out
    free,              ///< a block goes back to the cache
    segment_allocate,  ///< the driver was asked for memory (cudaMalloc)
    segment_free,      ///< memory went back to the driver (cudaFree)
  };
  Kind kind = Kind::allocate;
  std::uint64_t address = 0;        ///< of the block or segment
  std::uint64_t bytes = 0;          ///< as asked for (of a segment: its size)
  std::uint64_t rounded_bytes = 0;  ///< the block's, after rounding and splitting
  std::uint64_t segment = 0;        ///< address of the segment that the block lies in
  std::uint64_t segment_bytes = 0;
  std::uint64_t allocated = 0;  ///< totals after the change
  std::uint64_t reserved = 0;
};

/// Receives everything that the library does, in order, e.g. to record a walk. Methods that are not overridden do
/// nothing.
class Observer {
 public:
  virtual ~Observer() = default;
  /// An op was called with these arguments; everything until its op_ends is part of it.
  virtual void op_begins(const Call& call) { static_cast<void>(call); }
  /// Also called if the op failed; the result is then undefined.
  virtual void op_ends(const Tensor& result) { static_cast<void>(result); }
  /// The dispatcher looked at a key of the innermost op: a function is called there, or passed over (fallthrough).
  virtual void step(const trace::DispatchStep& step) { static_cast<void>(step); }
  /// A region other than an op: "autograd::engine::evaluate_function: MmBackward0", or "MmBackward0". `sequence`: the
  /// number of the forward op whose backward this is; -1: none.
  virtual void region_begins(std::string_view name, std::int64_t sequence) {
    static_cast<void>(name);
    static_cast<void>(sequence);
  }
  virtual void region_ends() {}
  /// The innermost op enters at an autograd key while gradients are on: the number that the next node of the tape will
  /// get, whether or not this op makes one. PyTorch's profiler writes it as the op's "Sequence number".
  virtual void entered_autograd(std::int64_t next_sequence) { static_cast<void>(next_sequence); }
  /// Autograd gave the innermost op this sequence number, which its backward will carry.
  virtual void recorded_for_backward(std::int64_t sequence) { static_cast<void>(sequence); }
  virtual void memory(const MemoryChange& change) { static_cast<void>(change); }
};

}  // namespace warpwalk::ops
