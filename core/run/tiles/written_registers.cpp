#include "core/run/tiles/written_registers.h"

#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/machine/launch_observer.h"
#include "core/gpu/exec/machine/machine.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::run {
namespace {

/// About 90 MB; a tile is looked for in a second or less.
constexpr std::size_t max_written_registers = 500'000;

class WriteObserver final : public gpu::LaunchObserver {
 public:
  WriteObserver(const gpu::Program& program, std::uint64_t block, bool others_wait)
      : program_(program), block_(block), others_wait_(others_wait) {}

  bool enters(const gpu::Machine& machine) override {
    // Blocks run one after another unless they wait for each other.
    if (machine.block->index > block_ && !others_wait_) over_.store(true);
    return machine.block->index == block_;
  }
  void before(const gpu::Machine&, const gpu::Op&) override {}
  void after(const gpu::Machine& machine, const gpu::Op& op) override {
    if (op.instruction == gpu::no_index || op.instruction >= program_.machine_code->uses.size()) return;
    const std::uint32_t warp = machine.warp->id;
    if (warp >= warps_.size()) warps_.resize(warp + 1), state_.resize(warp + 1);
    warps_[warp].warp = warp;
    State& state = state_[warp];
    state.occurrences.resize(program_.machine_code->uses.size());
    std::vector<WarpRegisters::Row>& rows = warps_[warp].rows;
    const auto index = static_cast<std::size_t>(&op - program_.ops.data());
    // An instruction has several operations, one after another.
    if (op.instruction == state.instruction && index > state.op)
      rows.resize(state.first_row);
    else
      ++state.occurrences[op.instruction];
    state.instruction = op.instruction;
    state.op = index;
    state.first_row = rows.size();
    const sass::RegisterSet& writes = program_.machine_code->uses[op.instruction].writes;
    const auto note = [&](std::string name, std::uint32_t offset) {
      if (written_ >= max_written_registers) return;
      ++written_;
      WarpRegisters::Row& row = rows.emplace_back();
      row.name = std::move(name);
      row.instruction = op.instruction;
      row.occurrence = state.occurrences[op.instruction] - 1;
      const std::vector<std::uint8_t>& registers = machine.warp->registers;
      if (offset + sizeof row.lanes <= registers.size())
        std::memcpy(row.lanes.data(), registers.data() + offset, sizeof row.lanes);
    };
    for (std::uint32_t i = 0; i < writes.general.size(); ++i)
      if (writes.general.test(i)) note(fmt::format("R{}", i), program_.machine_code->frame.general + 128 * i);
    for (std::uint32_t i = 0; i < writes.uniform.size(); ++i)
      if (writes.uniform.test(i)) note(fmt::format("UR{}", i), program_.machine_code->frame.uniform + 128 * i);
  }
  void exchanged(std::uint32_t, const std::array<std::uint32_t, 32>&) override {}
  void copied(const gpu::CopiedPiece&) override {}
  void before_access(std::size_t, std::uint64_t, std::uint64_t, Kind) override {}

  const std::atomic<bool>* over() const { return &over_; }
  std::vector<WarpRegisters> take() { return std::move(warps_); }

 private:
  struct State {
    std::uint32_t instruction = gpu::no_index;
    std::size_t op = 0, first_row = 0;
    std::vector<std::uint32_t> occurrences;
  };
  const gpu::Program& program_;
  const std::uint64_t block_;
  const bool others_wait_;
  std::atomic<bool> over_ = false;
  std::vector<WarpRegisters> warps_;
  std::vector<State> state_;
  std::size_t written_ = 0;
};

}  // namespace

base::Result<std::vector<WarpRegisters>> written_registers(const gpu::Device& device, const gpu::Program& program,
                                                           gpu::Launch launch, std::uint64_t block) {
  if (!program.machine_code) return base::Error{"registers are observed in machine code only"};
  WriteObserver observer(program, block, launch.cooperative || program.uses_clusters);
  gpu::SimulateOptions options;
  options.observer = &observer;
  options.cancel = observer.over();
  options.launch_operation_limit = gpu::runaway_limit * 4;
  const auto simulated = gpu::simulate(device, program, launch, options);
  if (!simulated) return base::Error{simulated.error()};
  return observer.take();
}

}  // namespace warpwalk::run
