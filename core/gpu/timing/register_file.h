#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/gpu/timing/instruction_timing.h"

namespace warpwalk::gpu {

/// The register file of a sub-partition: two banks (even and odd registers) with one read port each, and an operand
/// cache that keeps the values marked `.reuse` for the next instruction of the same warp. Huerta et al., "Analyzing
/// Modern NVIDIA GPU cores", MICRO 2025, found this on Ampere.
class RegisterFile {
 public:
  /// The first cycle from `now` on in which the operands can be read within `window` cycles.
  std::int64_t ready(const InstructionTiming& instruction, std::uint16_t warp, std::int64_t now, int window) const {
    const std::array<int, 2> reads = reads_of(instruction, warp);
    std::int64_t at = now;
    for (std::size_t bank = 0; bank < 2; ++bank)
      if (reads[bank] > 0) at = std::max(at, free_[bank] + reads[bank] - window);
    return at;
  }

  /// Reads the operands of an instruction that issues now.
  void read(const InstructionTiming& instruction, std::uint16_t warp, std::int64_t now) {
    const std::array<int, 2> reads = reads_of(instruction, warp);
    for (std::size_t bank = 0; bank < 2; ++bank)
      if (reads[bank] > 0) free_[bank] = std::max(free_[bank], now) + reads[bank];
    for (std::size_t slot = 0; slot < cached_.size(); ++slot) {
      if (instruction.sources[slot] == 255) continue;
      const bool keeps = (instruction.reuse >> slot & 1) != 0;
      cached_[slot] = keeps ? Cached{warp, instruction.sources[slot]} : Cached{};
    }
  }

 private:
  struct Cached {
    std::uint16_t warp = 0xffff;
    std::uint8_t reg = 255;
    bool operator==(const Cached&) const = default;
  };

  std::array<int, 2> reads_of(const InstructionTiming& instruction, std::uint16_t warp) const {
    std::array<int, 2> reads{};
    for (std::size_t slot = 0; slot < cached_.size(); ++slot) {
      const std::uint8_t reg = instruction.sources[slot];
      if (reg == 255 || cached_[slot] == Cached{warp, reg}) continue;
      // A register that several operands name is read once.
      bool repeated = false;
      for (std::size_t before = 0; before < slot; ++before) repeated = repeated || instruction.sources[before] == reg;
      if (!repeated) ++reads[reg & 1];
    }
    return reads;
  }

  std::array<std::int64_t, 2> free_{};  ///< by bank: the first cycle in which the port is free
  std::array<Cached, 3> cached_{};
};

}  // namespace warpwalk::gpu
