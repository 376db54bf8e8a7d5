#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/debug/recording.h"

namespace warpwalk::debug {

/// An instruction that reads or writes an input of the launch: bytes of a buffer or of a parameter.
struct InputUse {
  Position at;
  int lane = 0;
  bool writes = false;
};

/// The first use of these bytes before a position; nullopt if there is none. An instruction that may read a parameter
/// counts.
std::optional<InputUse> first_use(const Recording& recording, std::uint64_t address, std::uint64_t bytes,
                                  const Position& before);

/// Whether reads of the memory at an address may be missing in the log: one line that says which, else empty.
std::string unlogged_reads(const Recording& recording, std::uint64_t address);

/// The recorded launch with other contents at an address before it begins. On failure, one line.
base::Result<run::LoadedLaunch> with_input(const Recording& recording, std::uint64_t address,
                                           std::span<const std::uint8_t> bytes);

/// Whether two launches do the same before a position: instructions, addresses and written values of all SMs, and the
/// registers, local and shared memory of one SM at the position's cycle.
bool have_same_past(Recording& one, Recording& other, const Position& before, std::uint16_t sm);

}  // namespace warpwalk::debug
