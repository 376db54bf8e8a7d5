#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/gpu/exec/program.h"
#include "core/gpu/timing/sm_observer.h"

namespace warpwalk::gpu {

/// A loop of a program: the instructions between a branch backwards and its target.
struct Loop {
  std::uint32_t first = 0, last = 0;                    ///< instructions of the program
  std::vector<std::uint32_t> branches;                  ///< that go back to the first instruction
  std::uint32_t function_first = 0, function_last = 0;  ///< instructions of the function that the loop belongs to

  /// False in the loop and in functions that it calls.
  bool is_left_by(std::uint32_t instruction) const {
    return instruction >= function_first && instruction <= function_last && (instruction < first || instruction > last);
  }
};

/// The loops of a program by their first instructions; an inner loop is one of its own.
std::vector<Loop> loops_of(const Program& program);

/// One visit of a warp to a loop: its passes, from the loop's first instruction until the warp leaves it.
struct LoopVisit {
  std::uint32_t first = 0, last = 0;  ///< instructions of the program that belong to it
  std::vector<std::int64_t> starts;   ///< cycle in which each pass issued its first instruction, ascending
  std::int64_t end = 0;               ///< the cycle in which the first instruction after the last pass was issued

  std::size_t passes() const { return starts.size(); }
  /// Cycles of a pass.
  std::int64_t cycles(std::size_t pass) const {
    return (pass + 1 < starts.size() ? starts[pass + 1] : end) - starts[pass];
  }
};

/// The visits of a program's loops in what a warp issued, by their first cycle; an inner loop is there once for every
/// pass of the outer one. A pass ends when the warp goes back with some of the same lanes, to an instruction that it
/// has issued in this visit. A pass whose beginning or end is not in the issues is left out, and so is a visit of fewer
/// than two passes.
std::vector<LoopVisit> find_visits(const std::vector<Loop>& loops, const std::vector<IssuedInstruction>& issues);

/// The visit that a cycle lies in, of the innermost loop if there are several; null if there is none.
const LoopVisit* innermost(const std::vector<LoopVisit>& visits, std::int64_t cycle);

/// Passes that follow one another and take about as long.
struct PassGroup {
  std::size_t first = 0, count = 1;
  std::size_t typical = 0;                 ///< of these, the pass whose length is the median
  std::int64_t shortest = 0, longest = 0;  ///< cycles
};

/// Puts neighbouring passes together whose lengths are within a tenth or four cycles of each other, then the most
/// alike, until there are at most `most` groups. `apart`: a pass that stays alone.
std::vector<PassGroup> fold_passes(const LoopVisit& visit, std::optional<std::size_t> apart, std::size_t most);

}  // namespace warpwalk::gpu
