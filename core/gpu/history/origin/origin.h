#pragma once

// This folder finds where a number comes from: the store that wrote it last, the register that held it, and the loads
// that it was computed from. It runs a launch again and walks backwards over what its blocks did.

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/history/origin/operation_log.h"

namespace warpwalk::gpu {

/// An instruction that a warp issued and that a number was computed by or from.
struct OriginStep {
  enum class Kind : std::uint8_t { load, store, copy, compute, exchange, matrix, other };
  enum class Space : std::uint8_t { none, global, shared, local };

  Kind kind = Kind::other;
  OriginWarp warp;
  std::uint32_t instruction = 0;  ///< index into Program::sources
  std::uint32_t occurrence = 0;   ///< how often the warp had issued the instruction before
  std::uint32_t lanes = 0;        ///< those whose part in it counts
  Space space = Space::none;      ///< of loads, stores (where they write) and copies (likewise)
  /// What its lanes access, if `space` is not none; of copies what they write. Shared and local memory: offsets in the
  /// window.
  std::vector<OriginAccess> accesses = {};
  std::uint32_t place = 0;          ///< register: byte offset in the function's frame; stores: the source. 0: none
  std::uint64_t value = 0;          ///< of that register, in the lowest of `lanes`, after the instruction
  std::uint8_t value_bytes = 0;     ///< 0: not known
  std::vector<std::uint32_t> from;  ///< steps whose results it uses, ascending
};

/// Bytes of global memory that were read and that the launch had not written before: its inputs.
struct OriginInput {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::vector<std::uint32_t> steps;  ///< that read them
};

/// Where the bytes at an address of global memory come from.
struct Origin {
  std::vector<OriginStep> steps;    ///< in the order in which they ran; the store is the last one
  std::vector<OriginInput> inputs;  ///< by address
  std::size_t runs = 0;             ///< how often the launch was run again
  /// Why it is not complete, one sentence: a bound was reached, the launch wrote only some of the bytes, or their
  /// writer or a value is not followed. Empty: it is complete.
  std::string incomplete;

  /// False: the launch did not write the bytes, or, if `incomplete` is not empty, their store was not found.
  bool written() const { return !steps.empty(); }
};

struct OriginOptions {
  const std::atomic<bool>* cancel = nullptr;
  std::size_t log_bytes = std::size_t{512} << 20;  ///< of the operations of one group of blocks
  std::size_t max_steps = std::size_t{1} << 20;    ///< operations of a group that count
  std::size_t max_groups = 16;                     ///< blocks or clusters whose operations are looked at
};

/// Finds where `bytes` bytes at an address come from, as the launch leaves them. `before`: with the contents of its
/// buffers before the launch. Returns a one-line message if the launch cannot be run, or "cancelled".
base::Result<Origin> find_origin(const Device& device, const Program& program, const Launch& before,
                                 std::uint64_t address, std::uint32_t bytes, const OriginOptions& options = {});

}  // namespace warpwalk::gpu
