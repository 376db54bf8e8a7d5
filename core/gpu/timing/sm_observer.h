#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/memory/access_log.h"
#include "core/gpu/timing/memory_request.h"
#include "core/gpu/timing/stall_reason.h"

namespace warpwalk::gpu {

/// A warp on an SM.
struct WarpPlace {
  std::uint16_t slot = 0;  ///< warp slot; its sub-partition is slot % sub_partitions
  std::uint32_t warp = 0;  ///< index in its block
  std::uint64_t block = 0;
  friend bool operator==(const WarpPlace&, const WarpPlace&) = default;
};

/// An instruction that a scheduler issued.
struct IssuedInstruction {
  std::int64_t cycle = 0;
  WarpPlace warp;
  std::uint32_t instruction = 0;  ///< of the program
  std::uint32_t lanes = 0;        ///< active when it was executed
  std::uint32_t executing = 0;    ///< of these, the lanes that are not predicated off
  std::uint64_t eligible = 0;     ///< slots of the sub-partition that could have issued in this cycle, a bit each
};

/// A line that an SM asked for, and its way to the memory and back.
struct RequestTrip {
  std::uint64_t line = 0;    ///< address / 128
  std::uint8_t sectors = 0;  ///< a bit for each
  std::int64_t left_at = 0, back_at = 0;
  DataSource source = DataSource::l2;
  std::vector<std::uint16_t> slots;  ///< of the warps that wait for it
};

/// Is told what happens on an SM while it runs. Cycles are those since the first block's start.
class SmObserver {
 public:
  SmObserver() = default;
  SmObserver(const SmObserver&) = delete;
  SmObserver& operator=(const SmObserver&) = delete;
  virtual ~SmObserver() = default;

  virtual void issued(const IssuedInstruction& instruction, const std::vector<LoggedAccess>& accesses) = 0;
  /// The instruction, which was issued last, copied memory in bulk.
  virtual void copied(const std::vector<LoggedBulk>&) {}
  /// The warp was in this state from `from` until before `to`, at this instruction of the program.
  virtual void spent(const WarpPlace& warp, std::int64_t from, std::int64_t to, StallReason reason,
                     std::uint32_t instruction) = 0;
  /// The answer to a load or an atomic is on its way; it comes in cycle `back_at`.
  virtual void answered(const RequestTrip& trip) = 0;
  /// A result came that the warp's dependence counter stood for. `set_by`: the instruction that it belongs to.
  virtual void returned(const WarpPlace& warp, std::int64_t cycle, unsigned counter, std::uint32_t set_by,
                        bool from_memory) = 0;
};

}  // namespace warpwalk::gpu
