#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/gpu/history/origin/operation_log.h"

namespace warpwalk::gpu {

/// An operation that a value was computed by or from.
struct SliceStep {
  std::uint32_t entry = 0;                  ///< index into OperationLog::entries
  std::uint32_t lanes = 0;                  ///< those whose result counts
  std::vector<OriginAccess> accesses = {};  ///< of loads, stores and copies; addresses as in the log
  std::uint32_t place = 0;  ///< the first register that counts: of a store its source, else the result; 0: none
  std::vector<std::uint32_t> from = {};  ///< steps that made its sources, each once
};

/// A byte of memory whose value is asked for, as it was before the log's entry `end`; or a register of some lanes.
struct SliceTarget {
  std::uint64_t byte = 0;  ///< as addresses in the log; of local memory with warp and lane: local_key()
  std::size_t end = 0;
  std::uint32_t lanes = 0;  ///< not 0: a register, and `byte` is its offset in Warp::registers
  std::uint32_t warp = 0;   ///< of a register: index into OperationLog::warps
};

/// Bytes of memory that a step reads, if the slice stops at memory.
struct SliceRead {
  std::uint64_t byte = 0;  ///< as in SliceTarget
  std::uint32_t bytes = 0;
  std::uint32_t step = 0;
};

/// The operations of a log that some bytes of memory were computed by, the last one first.
struct BackwardSlice {
  std::vector<SliceStep> steps;
  /// Bytes of global memory that were read before the log's operations wrote them, each with the steps that read it.
  std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>> read;
  /// The targets, each with the step that wrote it; those are missing that no operation of the log wrote whose memory
  /// is followed.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> written;
  std::vector<SliceRead> stops;  ///< with SliceOptions::stops_at_memory; a byte comes once for each step
  bool opaque = false;           ///< a value came from an operation that is not followed (OperationFlow::Kind::opaque)
  bool truncated = false;        ///< there were more steps than allowed
};

/// An entry that accesses memory, whose address and guard are looked for instead of a value.
struct SliceAccess {
  std::size_t entry = 0;
  std::uint32_t lanes = 0;
};

struct SliceOptions {
  std::size_t max_steps = 0;
  bool stops_at_memory = false;  ///< what is read from memory is noted, and not followed
  std::optional<SliceAccess> address_of = {};  ///< the slice begins with it; it becomes the first step
};

/// Walks the log backwards. Registers are followed as a whole: 16-bit elements that share one are followed together.
BackwardSlice slice_backwards(const Program& program, const std::vector<OperationFlow>& flows, const OperationLog& log,
                              std::vector<SliceTarget> targets, const SliceOptions& options);

/// The first entry from `begin` on that writes a byte of memory; the number of entries if none does.
std::size_t next_write(const Program& program, const std::vector<OperationFlow>& flows, const OperationLog& log,
                       std::uint64_t byte, std::size_t begin);

/// The key of a byte in the local memory of a thread. `warp`: index into OperationLog::warps.
constexpr std::uint64_t local_key(std::uint64_t address, std::uint32_t warp, int lane) {
  return address | local_tag | std::uint64_t{warp} << 32 | static_cast<std::uint64_t>(lane) << 24;
}

/// The values that are still looked for while a log is walked backwards: registers by lane, bytes of memory, and for
/// each of them the steps that need it.
class WantedValues {
 public:
  WantedValues(BackwardSlice& slice, bool stops_at_memory) : slice_(slice), stops_at_memory_(stops_at_memory) {}

  /// Before the effects of an entry are visited.
  void begin(std::uint32_t entry) {
    entry_ = entry;
    step_ = none;
  }
  /// The entry writes these lanes of a register, or bytes of memory. Returns the lanes that were wanted, or whether a
  /// byte was; these are not wanted any more, and the entry becomes a step.
  std::uint32_t take(std::uint32_t warp, std::uint32_t offset, std::uint32_t lanes);
  bool take_bytes(std::uint64_t key, std::uint32_t bytes, int lane, std::uint64_t address);
  /// The entry's result is computed from them.
  void want(std::uint32_t warp, std::uint32_t offset, std::uint32_t lanes);
  void want_bytes(std::uint64_t key, std::uint32_t bytes);
  /// Notes which memory a lane of this entry accesses.
  void note_access(int lane, std::uint64_t address, std::uint32_t bytes);
  /// Notes where the copy reads that was noted last.
  void note_source(std::uint64_t address);

  bool empty() const { return registers_.empty() && bytes_.empty(); }
  /// True if the entry is a step.
  bool counts() const { return step_ != none; }
  /// The bytes that are left, with the steps that need them.
  const std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>& bytes() const { return bytes_; }
  /// Adds a byte that the slice begins with.
  void add_target(std::uint64_t key) { bytes_[key].push_back(none); }
  /// Makes the entry a step that nothing needs: the slice begins with it.
  void begin_with(std::uint32_t lanes) { make_step(lanes); }
  /// Adds a register of some lanes that the slice begins with.
  void add_target(std::uint32_t warp, std::uint32_t offset, std::uint32_t lanes);
  static constexpr std::uint32_t none = 0xffffffff;  ///< instead of a step: the slice itself needs a byte

 private:
  struct Need {
    std::uint32_t lanes, step;
  };
  void make_step(std::uint32_t lanes);
  void connect(std::uint32_t consumer);

  BackwardSlice& slice_;
  const bool stops_at_memory_;
  std::uint32_t entry_ = 0, step_ = none;
  std::unordered_map<std::uint64_t, std::vector<Need>> registers_;  ///< by warp and offset
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> bytes_;
};

/// The effects of the matrix operations: which elements of a result come from which elements (slice_matrix.cpp).
void visit_mma(const Program& program, const Op& op, const OperationLog::Entry& entry, WantedValues& wanted);
void visit_group_mma(const Program& program, const Op& op, const OperationLog::Entry& entry,
                     const std::uint64_t* values, WantedValues& wanted);
void visit_matrix_move(const Program& program, const Op& op, OperationFlow::Kind kind, const OperationLog::Entry& entry,
                       const std::uint64_t* values, WantedValues& wanted);
void visit_fragment(const Program& program, const Op& op, bool loads, const OperationLog::Entry& entry,
                    const std::uint64_t* values, WantedValues& wanted);

}  // namespace warpwalk::gpu
