#include "core/run/expression/sim_backend.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"
#include "core/run/catalogue/catalogue.h"
#include "core/run/expression/sim_memory.h"

namespace warpwalk::run {
namespace {

constexpr std::uint64_t unknown_memory = std::uint64_t{1} << 40;  // used if the description omits the size

std::string read_or_throw(const std::filesystem::path& file) {
  auto text = platform::read_text_file(file);
  if (!text) throw ops::OpError(text.error());
  return std::move(text->text);
}

/// Moves the memory blocks that a launch's arguments point into to its buffers, and moves them back in the destructor.
class BlocksOfLaunch {
 public:
  BlocksOfLaunch(SimMemory& memory, gpu::Launch& launch) : memory_(memory), launch_(launch) {}
  ~BlocksOfLaunch() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i]->bytes = std::move(launch_.buffers[i].bytes);
  }
  BlocksOfLaunch(const BlocksOfLaunch&) = delete;
  BlocksOfLaunch& operator=(const BlocksOfLaunch&) = delete;

  /// Adds an argument that points to the tensor's first element.
  gpu::Argument argument_of(const ops::Tensor& tensor, std::size_t row) {
    gpu::Argument argument;
    if (tensor.storage()->bytes() == 0) {
      argument.bytes.assign(8, 0);
      return argument;
    }
    const SimMemory::Place place = memory_.find(tensor.storage()->address());
    std::size_t buffer = 0;
    while (buffer < blocks_.size() && blocks_[buffer] != place.block) ++buffer;
    if (buffer == blocks_.size()) {
      launch_.buffers.push_back(
          {fmt::format("tensor {}", row), std::move(place.block->bytes), place.block->written, place.address});
      blocks_.push_back(place.block);
    }
    argument.buffer = static_cast<std::int32_t>(buffer);
    argument.offset = tensor.address() - place.address;
    return argument;
  }

  void written() {
    for (SimMemory::Block* const block : blocks_) block->written = true;
  }

 private:
  SimMemory& memory_;
  gpu::Launch& launch_;
  std::vector<SimMemory::Block*> blocks_;  // by row of launch_.buffers
};

}  // namespace

SimBackend::SimBackend(const gpu::Device& device, SimOptions options, ops::Observer* observer)
    : device_(device),
      options_(std::move(options)),
      memory_(std::make_unique<SimMemory>(
          device.memory_bytes ? static_cast<std::uint64_t>(*device.memory_bytes) : unknown_memory, observer)) {}

SimBackend::~SimBackend() = default;

ops::Memory& SimBackend::memory() { return *memory_; }

const ops::CachingAllocator& SimBackend::allocator() const { return memory_->allocator(); }

SimKernel SimBackend::load_module(const std::string& module) const {
  SimKernel kernel;
  const std::filesystem::path file = options_.ptx_folder / (module + ".ptx");
  kernel.ptx = read_or_throw(file);
  auto parsed = ptx::parse(kernel.ptx);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed))
    throw ops::OpError(fmt::format("{}:{}", file.string(), error->text()));
  kernel.module = std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(parsed)));
  auto source = platform::read_text_file(options_.source_folder / (module + ".cu"));
  if (source) kernel.source = std::move(source->text);
  if (options_.cubin_folder.empty()) return kernel;
  kernel.cubin = shipped_cubin(options_.cubin_folder, *device_.compute_capability, module);
  return kernel;
}

const SimKernel& SimBackend::kernel(const PlannedLaunch& launch) {
  const std::string key = launch.module + "/" + launch.entry;
  if (const auto known = kernels_.find(key); known != kernels_.end()) return known->second;
  const auto same_module = [&](const auto& other) { return other.first.starts_with(launch.module + "/"); };
  const auto other = std::ranges::find_if(kernels_, same_module);
  SimKernel kernel = other != kernels_.end() ? other->second : load_module(launch.module);
  const CubinSource machine{kernel.cubin, launch.module + ".cubin", "from cubin"};
  auto choice = choose_code(options_.code, machine, launch.entry, device_,
                            [&] { return gpu::prepare(kernel.module, launch.entry); });
  if (!choice) throw ops::OpError(fmt::format("{}: {}", launch.entry, choice.error()));
  auto& chosen = *choice;
  kernel.program = std::move(chosen.program);
  kernel.code = std::move(chosen.code);
  kernel.note = std::move(chosen.fallback);
  return kernels_.emplace(key, std::move(kernel)).first->second;
}

void SimBackend::launch(const PlannedLaunch& planned, std::span<const ops::Tensor> operands) {
  if (options_.before) options_.before(planned);
  const SimKernel& with = kernel(planned);
  gpu::Launch launch;
  launch.grid = planned.grid;
  launch.block = planned.block;
  launch.dynamic_shared_bytes = planned.dynamic_shared_bytes;
  BlocksOfLaunch blocks(*memory_, launch);
  for (const PlannedArgument& argument : planned.arguments) {
    if (argument.operand < 0) {
      launch.arguments.push_back({argument.bytes, -1, 0});
      continue;
    }
    const auto row = static_cast<std::size_t>(argument.operand);
    launch.arguments.push_back(blocks.argument_of(operands[row], row));
  }
  CyclesPass pass(device_, *with.program, launch, options_.cycles);
  auto simulated = gpu::simulate(device_, *with.program, launch, options_.simulate);
  if (!simulated) throw ops::OpError(fmt::format("{}: {}", planned.entry, simulated.error()));
  const auto& simulation = *simulated;
  blocks.written();
  if (!simulation.findings.empty())
    throw ops::OpError(fmt::format("{}: {}", planned.entry, simulation.findings.front().message));
  if (simulation.cancelled) throw ops::OpError("cancelled");
  const Cycles cycles = pass.run(simulation);
  if (cycles.cancelled) throw ops::OpError("cancelled");
  if (options_.launched) options_.launched({planned, operands, with, launch, simulation, cycles});
}

}  // namespace warpwalk::run
