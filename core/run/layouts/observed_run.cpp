#include "core/run/layouts/observed_run.h"

#include <algorithm>
#include <cstring>

#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/launch_observer.h"
#include "core/gpu/exec/machine/machine.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::run {
namespace {

/// About 150 MB; further blocks are not observed.
constexpr std::size_t max_observed_accesses = 400'000, max_observed_products = 20'000;

class LaneAccessObserver final : public gpu::LaunchObserver {
 public:
  LaneAccessObserver(ObservedRun& run, std::uint32_t max_blocks) : run_(run), blocks_(max_blocks) {}

  bool enters(const gpu::Machine& machine) override { return machine.block->index < blocks_; }
  void before(const gpu::Machine&, const gpu::Op&) override { log_.accesses.clear(), log_.bulk.clear(); }
  gpu::AccessLog* access_log() override { return &log_; }
  void after(const gpu::Machine& machine, const gpu::Op& op) override {
    if (op.instruction == gpu::no_index) return;
    const auto block = static_cast<std::uint32_t>(machine.block->index);
    if (run_.accesses.size() >= max_observed_accesses || run_.products.size() >= max_observed_products)
      blocks_ = std::min(blocks_, block);  // this one is not whole
    if (block >= blocks_) return;
    const std::uint32_t warp = machine.warp->id;
    const std::size_t first = run_.accesses.size();
    for (const gpu::LoggedAccess& access : log_.accesses) {
      const bool rows = op.run == gpu::handlers::load_matrix || op.run == gpu::handlers::store_matrix;
      run_.accesses.push_back({block, warp, op.instruction, rows, -1, access});
    }
    if (op.run == gpu::handlers::copy_async && run_.accesses.size() == first + 2)
      run_.accesses[first].copied_to = static_cast<std::int64_t>(first + 1);
    if (op.run == gpu::handlers::multiply_warp_group) {
      const gpu::GroupProduct& product = machine.program.group_products[op.table_index];
      if (product.mma.d_type == ptx::Type::f32) add_product(machine, op, block, product.d);
    } else if (op.run == gpu::handlers::multiply_matrices) {
      const gpu::MatrixOp& product = machine.program.matrices[op.table_index];
      if (product.mma.d_type == ptx::Type::f32) add_product(machine, op, block, product.d);
    }
  }
  void exchanged(std::uint32_t, const std::array<std::uint32_t, 32>&) override {}
  void copied(const gpu::CopiedPiece&) override {}
  void before_access(std::size_t, std::uint64_t, std::uint64_t, Kind) override {}

  std::uint32_t blocks() const { return blocks_; }

 private:
  void add_product(const gpu::Machine& machine, const gpu::Op& op, std::uint32_t block,
                   const std::vector<gpu::Slot>& d) {
    ObservedProduct product{block, machine.warp->id, op.instruction, {}};
    for (const gpu::Slot slot : d)
      std::memcpy(product.registers.emplace_back().data(), machine.at<float>(slot), sizeof(float) * 32);
    run_.products.push_back(std::move(product));
  }

  ObservedRun& run_;
  gpu::AccessLog log_;
  std::uint32_t blocks_;  ///< the first blocks that are observed
};

}  // namespace

base::Result<ObservedRun> observe_run(const gpu::Device& device, const gpu::Program& program, gpu::Launch launch,
                                      std::uint32_t max_blocks) {
  ObservedRun run;
  LaneAccessObserver observer(run, max_blocks);
  gpu::SimulateOptions options;
  options.observer = &observer;
  options.by_instruction = true;
  options.launch_operation_limit = gpu::runaway_limit * 4;
  auto simulated = gpu::simulate(device, program, launch, options);
  if (!simulated) return base::Error{simulated.error()};
  if (simulated->stopped || simulated->over_limit) return base::Error{"the run did not end"};
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  run.blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, observer.blocks()));
  std::erase_if(run.products, [&](const ObservedProduct& one) { return one.block >= run.blocks; });
  run.by_instruction = std::move(simulated->by_instruction);
  return run;
}

}  // namespace warpwalk::run
