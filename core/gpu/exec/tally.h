#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/exec/access_counts.h"
#include "core/gpu/exec/counters.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// Counts of one host thread. Instructions are counted per basic block, since a basic block is issued as a whole.
struct Tally {
  explicit Tally(const Program& program)
      : block_executions(program.blocks.size()), block_active_lanes(program.blocks.size()) {}

  std::vector<std::uint64_t> block_executions;    ///< by basic block: executions by a warp or split
  std::vector<std::uint64_t> block_active_lanes;  ///< by basic block: active lanes, summed over these executions
  Counters counters;                              ///< all other counters
  std::vector<AccessCounts> accesses;             ///< by instruction; empty if they are not counted by instruction
  std::vector<std::uint64_t> lanes_off;           ///< likewise: active lanes whose predicate was false
  std::string printed;                            ///< printf output; kernels that print run their blocks in order

  Tally& operator+=(const Tally& other);

  /// Counts accesses by instruction from now on.
  void count_by_instruction(const Program& program) {
    accesses.resize(program.sources.size());
    lanes_off.resize(program.sources.size());
  }
  bool counts_by_instruction() const { return !accesses.empty(); }
  /// Adds what the counters rose by since the last call to an instruction, which has just been executed. Only if they
  /// are counted by instruction.
  void take_accesses(std::uint32_t instruction) {
    if (has_new_requests()) note_accesses(instruction);
  }

 private:
  /// Most instructions access no memory, so this is quick.
  bool has_new_requests() const {
    const AccessCounts now = accesses_of(counters);
    return now.global_requests != noted_.global_requests || now.shared_requests != noted_.shared_requests;
  }
  void note_accesses(std::uint32_t instruction);

  AccessCounts noted_;  ///< of all instructions so far
};

/// Computes the counters of a launch from its tally.
Counters counters_of(const Program& program, const Tally& tally);
/// Computes the counts of each instruction of the program, by its index in Program::sources.
std::vector<InstructionCounts> instruction_counts_of(const Program& program, const Tally& tally);

}  // namespace warpwalk::gpu
