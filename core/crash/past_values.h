#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

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
  /// `start`: the instruction. `now`: the one that the thread would execute next; its registers are those in the dump.
  PastValues(const DumpThread& thread, const LoadedFunction& function, std::size_t start, std::size_t now);

  /// nullopt if the value cannot be known.
  std::optional<std::uint32_t> general(unsigned number) { return general_before(number, 0); }
  std::optional<std::uint32_t> uniform(unsigned number) { return uniform_before(number, 0); }
  /// The offsets in constant bank 0 from which these two registers were computed before the instruction, such as that
  /// of the argument with the address of an array. Values that come from memory are not followed; nor are branches.
  std::set<std::uint64_t> constants(unsigned number, unsigned uniform_number);
  /// True if the guard of the instruction let this thread execute it.
  std::optional<bool> executes() { return executes_at(0); }

 private:
  enum class Kind : std::uint8_t { general, uniform, predicate, uniform_predicate };
  struct Register {
    Kind kind = Kind::general;
    unsigned number = 0;
  };
  /// A position among the instructions up to `start`, which is 0; -1 is the one before it.
  using Time = std::int32_t;

  std::optional<std::uint32_t> general_before(unsigned number, Time before);
  std::optional<std::uint32_t> uniform_before(unsigned number, Time before);
  std::optional<bool> predicate_before(unsigned number, Time before, bool is_uniform);
  std::optional<bool> executes_at(Time time);
  std::optional<std::uint32_t> value(Register r, Time before);
  std::optional<std::uint32_t> now(Register r) const;
  std::size_t index_at(Time time) const;
  const sass::Instruction* instruction_at(Time time) const { return function_.instruction(index_at(time)); }
  bool knows(Time time);
  bool writes(std::size_t index, Register r) const;
  bool kept_until_now(Register r, Time from) const;
  std::optional<std::uint32_t> result(Time time, Register r);
  std::optional<std::uint32_t> source(Time time, const sass::Operand& operand, unsigned word = 0);
  std::optional<std::uint64_t> wide_source(Time time, const sass::Operand& operand);
  std::optional<std::uint64_t> carries(Time time);
  std::optional<std::uint64_t> sum(Time time);
  std::optional<std::uint64_t> product(Time time);
  std::optional<std::uint64_t> shifted_sum(Time time);
  std::optional<std::uint32_t> logic(Time time);
  std::optional<std::uint32_t> shifted(Time time);
  std::optional<std::uint32_t> special(std::uint64_t number) const;

  DumpThread thread_;
  const LoadedFunction& function_;
  std::size_t start_ = 0;
  std::vector<std::size_t> later_;    ///< what the thread may have executed from `start` on, without `now`
  std::vector<std::size_t> earlier_;  ///< those before `start`, the last one first
  bool reaches_now_ = false;          ///< `now` is not far behind `start`
  unsigned depth_ = 0, steps_ = 0;
};

}  // namespace warpwalk::crash
