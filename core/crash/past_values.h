#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/crash/code.h"
#include "core/crash/core_dump.h"

namespace warpwalk::crash {

/// A thread and what it is part of.
struct DumpThread {
  const CoreDump* dump = nullptr;
  const DumpDevice* device = nullptr;
  const DumpGrid* grid = nullptr;
  const DumpBlock* block = nullptr;
  const DumpWarp* warp = nullptr;
  const DumpLane* lane = nullptr;
};

/// Contents of constant bank `bank` of a grid at an offset: from the dump's memory, for bank 0 also from the grid's
/// parameters, for the banks of a module from its cubin. nullopt if it is in none of them.
std::optional<std::uint32_t> constant_word(const CoreDump& dump, const DumpGrid& grid, const LoadedFunction& function,
                                           std::uint32_t bank, std::uint64_t offset);

/// The values that a thread's registers had before an instruction that it has executed. A register that was overwritten
/// since is computed again from the instructions before, if they have all they need: other registers, constants, the
/// thread's index. Loads from memory are not repeated.
class PastValues {
 public:
  /// `now`: the index of the instruction that the thread would execute next: its registers are those in the dump.
  PastValues(const DumpThread& thread, const LoadedFunction& function, std::size_t now)
      : thread_(thread), function_(function), now_(now) {}

  /// nullopt if the value cannot be known.
  std::optional<std::uint32_t> general(unsigned number, std::size_t before);
  std::optional<std::uint32_t> uniform(unsigned number, std::size_t before);
  std::optional<bool> predicate(unsigned number, std::size_t before, bool is_uniform = false);
  /// True if the guard of the instruction let this thread execute it.
  std::optional<bool> executes(std::size_t index);

 private:
  enum class Kind : std::uint8_t { general, uniform, predicate, uniform_predicate };
  struct Register {
    Kind kind = Kind::general;
    unsigned number = 0;
  };

  std::optional<std::uint32_t> value(Register r, std::size_t before);
  std::optional<std::uint32_t> now(Register r) const;
  bool writes(std::size_t index, Register r) const;
  /// The instruction that ran before another one, if only one can have; nullopt otherwise.
  std::optional<std::size_t> before_in_time(std::size_t index) const;
  bool kept_until_now(Register r, std::size_t from) const;
  std::optional<std::uint32_t> result(std::size_t index, Register r);
  std::optional<std::uint32_t> source(std::size_t index, const sass::Operand& operand, unsigned word = 0);
  std::optional<std::uint64_t> wide_source(std::size_t index, const sass::Operand& operand);
  std::optional<std::uint64_t> sum(std::size_t index);
  std::optional<std::uint64_t> product(std::size_t index);
  std::optional<std::uint64_t> shifted_sum(std::size_t index);
  std::optional<std::uint32_t> logic(std::size_t index);
  std::optional<std::uint32_t> special(std::uint64_t number) const;

  DumpThread thread_;
  const LoadedFunction& function_;
  std::size_t now_ = 0;
  unsigned depth_ = 0, steps_ = 0;
};

}  // namespace warpwalk::crash
