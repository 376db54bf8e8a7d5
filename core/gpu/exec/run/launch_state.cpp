#include "core/gpu/exec/run/launch_state.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/gpu/blocks/cluster_placement.h"
#include "core/gpu/exec/launch_addresses.h"
#include "core/gpu/exec/launch_check.h"

namespace warpwalk::gpu {

namespace {

void put(std::vector<std::uint8_t>& bytes, std::uint64_t offset, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size && offset + i < bytes.size(); ++i) {
    bytes[offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
  }
}

/// Writes the addresses into `bytes`, whose first byte the fields count from. `buffers`: the addresses of the launch's
/// buffers.
void put_addresses(const Program& program, const std::vector<AddressField>& fields,
                   const std::vector<std::uint64_t>& buffers, std::uint8_t* bytes) {
  for (const AddressField& field : fields) {
    std::uint64_t value = field.offset;
    if (field.buffer >= 0)
      value += buffers[static_cast<std::size_t>(field.buffer)];
    else if (field.texture >= 0)
      value = texture_handle(static_cast<std::size_t>(field.texture));
    else if (!field.variable.empty())
      value += find_variable(program, field.variable)->address;
    else
      value = program.function_addresses.find(field.function)->second;
    std::memcpy(bytes + field.at, &value, sizeof value);
  }
}

}  // namespace

/// Machine code accesses 16-bit values as parts of whole words, so buffers end at a multiple of 4 bytes while it runs.
LaunchState::LaunchState(Launch& launch, bool whole_words) : launch_(launch) {
  for (Buffer& buffer : launch.buffers) {
    sizes_.push_back(buffer.bytes.size());
    if (whole_words) buffer.bytes.resize((buffer.bytes.size() + 3) / 4 * 4);
  }
}

LaunchState::~LaunchState() {
  for (std::size_t i = 0; i < sizes_.size(); ++i) launch_.buffers[i].bytes.resize(sizes_[i]);
}

/// Assigns an address to each buffer. Those of module variables have one already.
/// The memory of a variable is that of the launch's buffer for it, if there is one.
void LaunchState::add_variables(const Program& program) {
  const auto& variables = program.module->variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const ptx::Variable& variable = variables[i];
    const bool constant = variable.space == ptx::Space::constant;
    if ((!constant && variable.space != ptx::Space::global) || variable.bytes == 0) continue;
    if (memory_.find(program.variable_addresses[i]) != nullptr) continue;  // in outer memory
    const auto own = std::ranges::find(launch_.buffers, variable.name, &Buffer::variable);
    const bool has_buffer = own != launch_.buffers.end();
    std::vector<std::uint8_t>& bytes = has_buffer ? own->bytes : variables_.emplace_back(variable.bytes);
    if (!has_buffer || !own->initialized) set_initial(program, variable, bytes);
    memory_.add({program.variable_addresses[i], has_buffer ? bytes.size() : variable.bytes, bytes.data(), nullptr,
                 constant, (constant ? "constant `" : "variable `") + variable.name + "`"});
  }
}

/// The contents that the recording or the module gives a variable.
void LaunchState::set_initial(const Program& program, const ptx::Variable& variable,
                              std::vector<std::uint8_t>& bytes) const {
  std::ranges::fill(bytes, std::uint8_t{0});  // a launch that has run holds its results
  std::copy_n(variable.initial.begin(), std::min(variable.initial.size(), bytes.size()), bytes.begin());
  const auto given = std::ranges::find(launch_.variables, variable.name, &VariableValue::variable);
  if (given != launch_.variables.end() && given->bytes.size() == variable.bytes)
    std::ranges::copy(given->bytes, bytes.begin());
  for (const ptx::Relocation& relocation : variable.relocations) {
    const auto index = static_cast<std::size_t>(relocation.index);
    std::uint64_t address = relocation.function ? function_base + 16 * index : program.variable_addresses[index];
    if (!relocation.function && relocation.generic && program.module->variables[index].space == ptx::Space::shared) {
      address += shared_window;
    }
    put(bytes, relocation.offset, address + static_cast<std::uint64_t>(relocation.addend), relocation.bytes);
  }
}

void LaunchState::add_outer(bool whole_words, bool sanitize) {
  for (const OuterMemory& outer : launch_.outer) {
    context.shares_memory_with_host = context.shares_memory_with_host || outer.shared_with_host;
    memory_.add({outer.address, whole_words ? (outer.bytes + 3) / 4 * 4 : outer.bytes, outer.data,
                 sanitize ? outer.written : nullptr, outer.read_only, outer.name});
  }
}

void LaunchState::add_buffers(const Program& program, bool sanitize) {
  for (std::size_t i = 0; i < launch_.buffers.size(); ++i) {
    Buffer& buffer = launch_.buffers[i];
    put_addresses(program, buffer.addresses, buffers_, buffer.bytes.data());
    if (!buffer.variable.empty()) continue;
    Region region{buffers_[i], buffer.bytes.size(),           buffer.bytes.data(), nullptr,
                  false,       "buffer `" + buffer.name + "`"};
    if (sanitize && !buffer.initialized) {
      std::vector<std::uint8_t>& written = written_.emplace_back(buffer.bytes.size());
      for (const ByteRange& range : buffer.written)
        std::fill(written.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(range.begin, written.size())),
                  written.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(range.end, written.size())), 1);
      region.written = written.data();
    }
    if (region.bytes != 0) memory_.add(std::move(region));
  }
}

void LaunchState::add_parameters(const Program& program) {
  parameters_.resize(std::max<std::size_t>(program.parameter_bytes, 1));
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
    const Argument& argument = launch_.arguments[i];
    const std::uint32_t offset = program.parameter_offsets[i];
    if (argument.texture >= 0) {
      put(parameters_, offset, texture_handle(static_cast<std::size_t>(argument.texture)), 8);
    } else if (argument.buffer >= 0) {
      put(parameters_, offset, buffers_[static_cast<std::size_t>(argument.buffer)] + argument.offset, 8);
    } else {
      std::copy(argument.bytes.begin(), argument.bytes.end(), parameters_.begin() + offset);
      put_addresses(program, argument.addresses, buffers_, parameters_.data() + offset);
    }
  }
  memory_.add({parameter_base, parameters_.size(), parameters_.data(), nullptr, true, "the kernel's parameters"});
}

/// The barrier that a cooperative grid's sync() uses. CUDA passes its address in %envreg1 and %envreg2.
void LaunchState::add_workspace() {
  constexpr std::size_t bytes = 256;
  std::vector<std::uint8_t>& workspace = variables_.emplace_back(bytes);
  memory_.add({grid_workspace, bytes, workspace.data(), nullptr, false, "the cooperative grid's workspace"});
}

/// The heap of the program, or an empty one if the kernel allocates.
void LaunchState::add_heap(const Program& program, bool sanitize) {
  heap_ = launch_.heap;
  if (heap_ == nullptr && program.uses_heap) heap_ = std::make_shared<DeviceHeap>();
  if (heap_ == nullptr || heap_->bytes() == 0) return;
  context.heap = heap_.get();
  memory_.add(
      {heap_base, heap_->bytes(), heap_->data(), sanitize ? heap_->written() : nullptr, false, "the heap of malloc"});
}

/// The constant banks of machine code, which its loads of constants read.
void LaunchState::add_banks(const Program& program, std::uint32_t sm_count) {
  banks_ = fill_banks(program, launch_, parameters_, sm_count);
  // Buffers of constants that the launch does not fill get the module's contents.
  for (Buffer& buffer : launch_.buffers) {
    if (buffer.variable.empty() || buffer.initialized) continue;
    const ConstantVariable* const constant = find_variable(program, buffer.variable)->constant;
    if (constant == nullptr) continue;
    for (const ConstantBank& bank : banks_.banks)
      if (bank.number == constant->bank)
        for (std::uint64_t i = 0; i < constant->bytes && constant->offset + i < bank.bytes.size(); ++i)
          buffer.bytes[i] = bank.bytes[constant->offset + i];
  }
  for (ConstantBank& bank : banks_.banks) {
    if (!bank.bytes.empty())
      memory_.add({bank_address(bank.number), bank.bytes.size(), bank.bytes.data(), nullptr, true,
                   fmt::format("constant bank {}", bank.number)});
  }
}

/// Kernel code that reads %smid sees the SM that the block scheduler would choose.
void LaunchState::place_blocks(const Device& device, const Program& program, const Occupancy& occupancy) {
  if (!program.reads_smid) return;
  if (context.explicit_cluster) {
    ClusterLaunch clusters;
    for (std::size_t i = 0; i < 3; ++i) {
      clusters.grid[i] = launch_.grid[i];
      clusters.cluster[i] = context.cluster[i];
    }
    clusters.blocks_per_sm = occupancy.blocks_per_sm;
    sm_of_block_ = place_clusters(device, clusters);
  } else {
    GridLaunch grid;
    grid.blocks = std::uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
    grid.blocks_per_sm = occupancy.blocks_per_sm;
    grid.warps_per_block = context.warps_per_block;
    grid.cycles.each = 10000;  // arbitrary: all blocks are assumed to take equally long
    sm_of_block_ = schedule_blocks(device, grid).sm;
  }
  if (!sm_of_block_.empty()) context.sm_of_block = &sm_of_block_;
}

base::Result<std::unique_ptr<LaunchState>> LaunchState::make(const Device& device, const Program& program,
                                                             Launch& launch, const Occupancy& occupancy,
                                                             bool sanitize) {
  std::unique_ptr<LaunchState> state(new LaunchState(launch, program.machine_code.has_value()));
  state->buffers_ = buffer_addresses(program, launch);
  state->add_outer(program.machine_code.has_value(), sanitize);
  state->add_variables(program);
  state->add_buffers(program, sanitize);
  state->add_parameters(program);
  if (launch.cooperative) state->add_workspace();
  state->add_heap(program, sanitize);
  if (program.machine_code) state->add_banks(program, static_cast<std::uint32_t>(*device.sm_count));
  auto textures = TextureTable::make(program, launch, state->memory_, state->buffers_);
  if (!textures) return base::Error{textures.error()};
  state->textures_ = std::move(*textures);

  LaunchContext& context = state->context;
  context.textures = &state->textures_;
  if (program.machine_code) context.bank_values = state->banks_.values.data();
  context.program = &program;
  context.launch = &launch;
  context.memory = &state->memory_;
  context.parameters = state->parameters_.data();
  context.shared_bytes = program.static_shared + launch.dynamic_shared_bytes;
  context.threads_per_block = launch.block[0] * launch.block[1] * launch.block[2];
  context.warps_per_block = (context.threads_per_block + 31) / 32;
  context.sm_count = static_cast<std::uint32_t>(*device.sm_count);
  context.warps_per_sm = static_cast<std::uint32_t>(*device.warps_per_sm);
  if (device.sm_clock) context.clock_hz = *device.sm_clock;
  if (const auto cluster = cluster_of(program, launch)) {
    context.cluster = *cluster;
    context.explicit_cluster = true;
  }
  state->place_blocks(device, program, occupancy);
  return state;
}

}  // namespace warpwalk::gpu
