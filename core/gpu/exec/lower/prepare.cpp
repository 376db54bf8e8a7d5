#include <algorithm>

#include <fmt/format.h>

#include "core/base/result.h"
#include "core/gpu/exec/lower/lowering.h"

namespace warpwalk::gpu {

namespace {

using ptx::OperandKind;
using ptx::Space;

std::uint32_t round_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

template <class Each>
void for_operands(const std::vector<ptx::Operand>& operands, const Each& each) {
  for (const ptx::Operand& operand : operands) {
    each(operand);
    for_operands(operand.elements, each);
  }
}

/// Collects the functions that the entry can reach by calls or addresses, among them those whose addresses launches
/// pass. The entry comes first.
void collect_reachable_functions(Program& program, const ptx::Function& entry, std::span<const std::string> passed) {
  const ptx::Module& module = *program.module;
  program.function_of_module.assign(module.functions.size(), -1);
  std::vector<const ptx::Function*> pending;
  const auto reach = [&](std::size_t index) {
    const ptx::Function& function = module.functions[index];
    if (program.function_of_module[index] >= 0 || !function.defined) return;
    if (function.unsupported) throw Refusal{nullptr, "line " + function.unsupported->text()};
    program.function_of_module[index] = static_cast<std::int32_t>(program.functions.size());
    program.functions.emplace_back().source = &function;
    pending.push_back(&function);
  };
  reach(static_cast<std::size_t>(&entry - module.functions.data()));
  for (const std::string& name : passed) {
    const auto found = std::ranges::find_if(module.functions, [&](const ptx::Function& function) {
      return function.name == name && function.defined && !function.is_entry;
    });
    if (found == module.functions.end())
      throw Refusal{nullptr, fmt::format("no device function `{}` in the PTX", name)};
    const auto index = static_cast<std::size_t>(found - module.functions.begin());
    reach(index);
    program.function_addresses.emplace(name, function_base + 16 * index);
  }
  bool tables_seen = false;
  while (!pending.empty()) {
    const ptx::Function& function = *pending.back();
    pending.pop_back();
    bool indirect = false;
    for (const ptx::Instruction& i : function.instructions) {
      for_operands(i.operands, [&](const ptx::Operand& o) {
        if (o.kind == OperandKind::function) reach(static_cast<std::size_t>(o.index));
      });
      if (i.opcode == ptx::Opcode::call && i.operands[1].kind == OperandKind::reg) indirect = true;
    }
    if (!indirect || tables_seen) continue;
    tables_seen = true;  // an indirect call may use a pointer from any table of the module
    for (const ptx::Variable& variable : module.variables) {
      for (const ptx::Relocation& relocation : variable.relocations) {
        if (relocation.function) reach(static_cast<std::size_t>(relocation.index));
      }
    }
  }
}

void place_variables(Program& program, const VariablePlaces& places) {
  const ptx::Module& module = *program.module;
  std::vector<std::uint8_t> used(module.variables.size());
  for (const Function& function : program.functions) {
    for (const ptx::Instruction& i : function.source->instructions) {
      for_operands(i.operands, [&](const ptx::Operand& o) {
        if (o.kind == OperandKind::variable) used[static_cast<std::size_t>(o.index)] = 1;
      });
    }
  }
  program.variable_addresses.assign(module.variables.size(), 0);
  std::uint64_t global = global_base, constant = constant_base;
  std::uint32_t shared = 0;
  const auto aligned = [](std::uint64_t at, std::uint32_t to) {
    return (at + to - 1) / std::max(to, 1u) * std::max(to, 1u);
  };
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (const auto given = places.find(variable.name); variable.space == Space::global && given != places.end()) {
      program.variable_addresses[i] = given->second;
    } else if (variable.space == Space::global) {
      global = aligned(global, std::max(variable.alignment, 256u));
      program.variable_addresses[i] = global;
      global += variable.bytes + (1u << 16);  // a gap, so that an out-of-bounds index hits no other variable
    } else if (variable.space == Space::constant) {
      constant = aligned(constant, std::max(variable.alignment, 64u));
      program.variable_addresses[i] = constant;
      constant += variable.bytes + 64;
    } else if (variable.space == Space::shared && variable.bytes != 0 && used[i] != 0) {
      shared = static_cast<std::uint32_t>(aligned(shared, variable.alignment));
      program.variable_addresses[i] = shared_begin + shared;
      shared += static_cast<std::uint32_t>(variable.bytes);
    }
  }
  for (Function& function : program.functions) {
    function.variable_offsets.assign(function.source->variables.size(), 0);
    for (std::size_t i = 0; i < function.source->variables.size(); ++i) {
      const ptx::Variable& variable = function.source->variables[i];
      if (variable.space != Space::shared || variable.bytes == 0) continue;
      shared = static_cast<std::uint32_t>(aligned(shared, variable.alignment));
      function.variable_offsets[i] = shared_begin + shared;
      shared += static_cast<std::uint32_t>(variable.bytes);
    }
  }
  program.static_shared = shared;
  // Unsized arrays all start at the same address, after the static ones.
  std::uint32_t alignment = 1;
  const auto is_dynamic = [](const ptx::Variable& v) { return v.space == Space::shared && v.bytes == 0; };
  for (const ptx::Variable& variable : module.variables) {
    if (is_dynamic(variable)) alignment = std::max(alignment, variable.alignment);
  }
  for (const Function& function : program.functions) {
    for (const ptx::Variable& variable : function.source->variables) {
      if (is_dynamic(variable)) alignment = std::max(alignment, variable.alignment);
    }
  }
  if (alignment > 1) program.static_shared = round_up(shared, alignment);
  const std::uint32_t dynamic = shared_begin + round_up(shared, alignment);
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    if (is_dynamic(module.variables[i])) program.variable_addresses[i] = dynamic;
  }
  for (Function& function : program.functions) {
    for (std::size_t i = 0; i < function.source->variables.size(); ++i) {
      if (is_dynamic(function.source->variables[i])) function.variable_offsets[i] = dynamic;
    }
  }
}

void place_parameters(Program& program) {
  std::uint32_t at = 0;
  for (const ptx::Parameter& parameter : program.entry->parameters) {
    if (parameter.in_register) throw Refusal{nullptr, "kernel parameters in registers are not supported"};
    at = round_up(at, std::max(parameter.alignment, 1u));
    program.parameter_offsets.push_back(at);
    at += parameter.bytes;
  }
  program.parameter_bytes = at;
}

bool has_bulk_addresses(ptx::Opcode opcode) {
  switch (opcode) {
    case ptx::Opcode::cp_async_bulk:
    case ptx::Opcode::cp_async_bulk_tensor:
    case ptx::Opcode::cp_reduce_async_bulk:
    case ptx::Opcode::cp_reduce_async_bulk_tensor:
    case ptx::Opcode::st_async:
    case ptx::Opcode::red_async: return true;
    default: return false;
  }
}

}  // namespace

void lay_out_frame(Program& program, Function& function) {
  const ptx::Function& source = *function.source;
  std::uint32_t frame = 64;  // no register is at offset 0, the slot of an operand that an operation does not have
  const auto take = [&frame](std::uint32_t bytes) { return std::exchange(frame, frame + bytes); };
  if (&function != &program.functions.front()) {
    function.return_slot = take(lanes_per_warp * 4);
    function.caller_frame_slot = take(lanes_per_warp * 4);
    function.caller_local_slot = take(lanes_per_warp * 4);
  }
  const bool takes_stack = std::any_of(source.instructions.begin(), source.instructions.end(), [](const auto& i) {
    return i.opcode == ptx::Opcode::alloca_ || i.opcode == ptx::Opcode::stacksave ||
           i.opcode == ptx::Opcode::stackrestore;
  });
  if (takes_stack) function.alloca_slot = take(lanes_per_warp * 4);
  for (const ptx::Register& reg : source.registers) {
    const int bytes = ptx::bytes_of(reg.type);
    const std::uint32_t width = bytes == 0 ? 4 : static_cast<std::uint32_t>(lanes_per_warp * std::max(bytes, 2));
    frame = round_up(frame, std::min<std::uint32_t>(width, 64));
    function.register_offsets.push_back(take(width));
  }
  frame = round_up(frame, 64);
  // A bulk copy has the words of three addresses and its size there.
  const bool copies = std::any_of(source.instructions.begin(), source.instructions.end(),
                                  [](const ptx::Instruction& i) { return has_bulk_addresses(i.opcode); });
  function.scratch = take(lanes_per_warp * 8 * (copies ? 4 : 1));
  function.frame_bytes = frame;
  std::uint32_t stack = 0;
  const auto push = [&stack](std::uint32_t bytes, std::uint32_t alignment) {
    stack = round_up(stack, std::max(alignment, 4u));
    return std::exchange(stack, stack + bytes);
  };
  if (!source.is_entry) {
    // Parameters in registers pass through memory too (core/ptx/parse/register_arguments.h).
    for (const ptx::Parameter& parameter : source.parameters)
      function.parameter_offsets.push_back(push(parameter.bytes, parameter.alignment));
    for (const ptx::Parameter& parameter : source.returns)
      function.return_offsets.push_back(push(parameter.bytes, parameter.alignment));
  }
  for (std::size_t i = 0; i < source.variables.size(); ++i) {
    const ptx::Variable& variable = source.variables[i];
    if (variable.space != Space::local && variable.space != Space::param) continue;
    if (variable.bytes > (1u << 19))
      throw Refusal{nullptr, fmt::format("`{}` needs {} bytes of local memory; a thread has at most 512 KiB",
                                         source.name, variable.bytes)};
    function.variable_offsets[i] = push(static_cast<std::uint32_t>(variable.bytes), variable.alignment);
  }
  function.local_bytes = round_up(stack, 16);
}

void locate_finding(const Program& program, std::uint32_t instruction, Finding& finding) {
  if (instruction >= program.sources.size()) return;
  const SourceInstruction& source = program.sources[instruction];
  finding.ptx_line = source.instruction->line;
  if (source.instruction->location < 0) return;
  const auto& locations = source.function->locations;
  const ptx::Location* const innermost = &locations[static_cast<std::size_t>(source.instruction->location)];
  const ptx::Location* outermost = innermost;
  while (outermost->inlined_at >= 0) outermost = &locations[static_cast<std::size_t>(outermost->inlined_at)];
  const ptx::Location* location = innermost;
  const ptx::Location* called = innermost;  // where the code was inlined
  while (location->file != outermost->file) {
    called = location;
    location = &locations[static_cast<std::size_t>(location->inlined_at)];
  }
  if (called != location && called->function >= 0)
    finding.inlined = program.module->inlined_functions[static_cast<std::size_t>(called->function)];
  finding.source_line = location->line;
  if (location->file < program.module->files.size()) finding.source_file = program.module->files[location->file].name;
}

base::Result<std::shared_ptr<const Program>> prepare(std::shared_ptr<const ptx::Module> module, std::string_view entry,
                                                     std::span<const std::string> functions,
                                                     const VariablePlaces& places) {
  const auto program = std::make_shared<Program>();
  program->module = std::move(module);
  program->entry = program->module->entry(entry);
  if (program->entry == nullptr) {
    std::string known;
    for (const ptx::Function& function : program->module->functions) {
      if (function.is_entry && function.defined) known += (known.empty() ? "" : ", ") + function.name;
    }
    return base::Error{
        fmt::format("no kernel `{}` in the PTX; available kernels: {}", entry, known.empty() ? "none" : known)};
  }
  if (program->module->address_size != 64) return base::Error{"the PTX has 32-bit addresses; compile it for 64 bits"};
  if (program->entry->blocks_are_clusters)
    return base::Error{fmt::format(
        "`{}` counts its grid in clusters (.blocksareclusters), which the simulated GPU does not support", entry)};
  try {
    collect_reachable_functions(*program, *program->entry, functions);
    place_variables(*program, places);
    place_parameters(*program);
    for (Function& function : program->functions) lay_out_frame(*program, function);
    for (std::uint32_t i = 0; i < program->functions.size(); ++i) FunctionLowering(*program, i).run();
  } catch (const Refusal& refusal) {
    if (refusal.instruction == nullptr) return base::Error{refusal.why};
    return base::Error{fmt::format("line {}: `{}` {}", refusal.instruction->line,
                                   ptx::name_of(refusal.instruction->opcode), refusal.why)};
  }
  program->registers = estimate_registers(*program);
  return std::shared_ptr<const Program>(program);
}

}  // namespace warpwalk::gpu
