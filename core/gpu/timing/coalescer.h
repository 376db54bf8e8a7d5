#pragma once

#include <array>
#include <cstdint>

#include "core/gpu/exec/memory/access_log.h"

namespace warpwalk::gpu {

/// The part of a warp's access that lies in one line of 128 bytes.
struct LineAccess {
  std::uint64_t line = 0;    ///< address / 128
  std::uint8_t sectors = 0;  ///< a bit for each of the four sectors
  std::uint8_t lanes = 0;    ///< lanes that start in this line
  std::uint8_t repeats = 0;  ///< atomics: passes beyond one per sector, for lanes with the same address
  std::uint32_t words = 0;   ///< stores: the 4-byte words in which lanes write
  bool partial = false;      ///< the lanes leave bytes of the sectors out
};

/// The lines that a warp's access touches, in the order of the lanes. A lane's access of up to 16 bytes is aligned, so
/// it lies in one sector.
struct CoalescedAccess {
  std::array<LineAccess, 32> lines;  ///< the first `count` are used
  int count = 0;

  int sectors() const;
};

/// Folds the lanes' addresses into lines and sectors. `offset` is added to each address.
CoalescedAccess coalesce(const LoggedAccess& access, std::uint64_t offset = 0);
/// The same, into an object that is used again.
void coalesce(const LoggedAccess& access, std::uint64_t offset, CoalescedAccess& result);

/// Local memory: word w of the 32 lanes of a warp lies in line `first_line` + w.
CoalescedAccess coalesce_local(const LoggedAccess& access, std::uint64_t first_line);
void coalesce_local(const LoggedAccess& access, std::uint64_t first_line, CoalescedAccess& result);

}  // namespace warpwalk::gpu
