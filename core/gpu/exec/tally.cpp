#include "core/gpu/exec/tally.h"

#include <algorithm>
#include <cmath>

#include "core/gpu/exec/sample.h"

namespace warpwalk::gpu {

namespace {

constexpr std::uint64_t Counters::*summed_counters[] = {&Counters::ptx_warp_instructions,
                                                        &Counters::warp_instructions,
                                                        &Counters::thread_instructions,
                                                        &Counters::global_load_requests,
                                                        &Counters::global_store_requests,
                                                        &Counters::global_load_sectors,
                                                        &Counters::global_store_sectors,
                                                        &Counters::global_atomic_requests,
                                                        &Counters::global_atomic_sectors,
                                                        &Counters::global_ideal_sectors,
                                                        &Counters::shared_atomic_requests,
                                                        &Counters::local_load_requests,
                                                        &Counters::local_store_requests,
                                                        &Counters::shared_load_requests,
                                                        &Counters::shared_store_requests,
                                                        &Counters::shared_load_wavefronts,
                                                        &Counters::shared_store_wavefronts,
                                                        &Counters::shared_bank_conflicts,
                                                        &Counters::blocks,
                                                        &Counters::warps};

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  for (std::size_t i = 0; i < block_executions.size(); ++i) {
    block_executions[i] += other.block_executions[i];
    block_active_lanes[i] += other.block_active_lanes[i];
  }
  counters += other.counters;
  if (accesses.size() < other.accesses.size()) accesses.resize(other.accesses.size());
  for (std::size_t i = 0; i < other.accesses.size(); ++i) accesses[i] += other.accesses[i];
  if (lanes_off.size() < other.lanes_off.size()) lanes_off.resize(other.lanes_off.size());
  for (std::size_t i = 0; i < other.lanes_off.size(); ++i) lanes_off[i] += other.lanes_off[i];
  printed += other.printed;
  return *this;
}

Counters& Counters::operator+=(const Counters& other) {
  for (const auto sum : summed_counters) this->*sum += other.*sum;
  if (issued_by_line.size() < other.issued_by_line.size()) issued_by_line.resize(other.issued_by_line.size());
  for (std::size_t i = 0; i < other.issued_by_line.size(); ++i) issued_by_line[i] += other.issued_by_line[i];
  return *this;
}

Counters scaled(const Counters& counters, double factor) {
  const auto times = [factor](std::uint64_t count) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * factor));
  };
  Counters result = counters;
  for (const auto sum : summed_counters) result.*sum = times(counters.*sum);
  for (std::uint64_t& count : result.issued_by_line) count = times(count);
  return result;
}

Counters counters_of(const Program& program, const Tally& tally) {
  Counters counters = tally.counters;
  std::uint32_t last_line = 0;
  for (const SourceInstruction& source : program.sources) last_line = std::max(last_line, source.instruction->line);
  counters.issued_by_line.assign(last_line + 1, 0);
  for (std::size_t i = 0; i < program.blocks.size(); ++i) {
    const BasicBlock& block = program.blocks[i];
    counters.ptx_warp_instructions += tally.block_executions[i] * block.sources;
    counters.warp_instructions += tally.block_executions[i] * block.machine_instructions;
    counters.thread_instructions += tally.block_active_lanes[i] * block.machine_instructions;
    for (std::uint32_t k = 0; k < block.sources; ++k) {
      counters.issued_by_line[program.sources[block.first_source + k].instruction->line] += tally.block_executions[i];
    }
  }
  return counters;
}

void Tally::note_accesses(std::uint32_t instruction) {
  const AccessCounts now = accesses_of(counters);
  AccessCounts& at = accesses[instruction];
  at.global_requests += now.global_requests - noted_.global_requests;
  at.global_sectors += now.global_sectors - noted_.global_sectors;
  at.ideal_sectors += now.ideal_sectors - noted_.ideal_sectors;
  at.shared_requests += now.shared_requests - noted_.shared_requests;
  at.shared_wavefronts += now.shared_wavefronts - noted_.shared_wavefronts;
  at.bank_conflicts += now.bank_conflicts - noted_.bank_conflicts;
  noted_ = now;
}

std::vector<InstructionCounts> instruction_counts_of(const Program& program, const Tally& tally) {
  std::vector<InstructionCounts> counts(program.sources.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i].executions = tally.block_executions[program.sources[i].block];
    counts[i].lanes = tally.block_active_lanes[program.sources[i].block];
    if (i < tally.accesses.size()) counts[i].accesses = tally.accesses[i];
    if (i < tally.lanes_off.size()) counts[i].lanes -= std::min(counts[i].lanes, tally.lanes_off[i]);
  }
  return counts;
}

}  // namespace warpwalk::gpu
