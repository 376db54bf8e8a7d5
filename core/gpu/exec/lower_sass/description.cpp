#include "core/gpu/exec/lower_sass/description.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/gpu/exec/lower_sass/lowering.h"

namespace warpwalk::gpu {

namespace {

using sass::Opcode;

/// The PTX instruction that messages name.
ptx::Opcode ptx_opcode(const sass::Instruction& i) {
  const bool of_mbarrier = i.opcode == Opcode::syncs || i.opcode == Opcode::atoms;
  if (of_mbarrier && i.has(sass::Word::arrive)) return ptx::Opcode::mbarrier_arrive;
  if (i.opcode == Opcode::syncs && i.has(sass::Word::phasechk)) return ptx::Opcode::mbarrier_test_wait;
  return lowering_of(i.opcode).properties.ptx;
}

std::uint32_t file_index(ptx::Module& module, std::string_view name) {
  for (std::size_t i = 0; i < module.files.size(); ++i)
    if (module.files[i].name == name) return static_cast<std::uint32_t>(i);
  module.files.push_back({static_cast<std::uint32_t>(module.files.size() + 1), std::string(name)});
  return static_cast<std::uint32_t>(module.files.size() - 1);
}

std::int32_t function_index(ptx::Module& module, std::string_view name) {
  if (name.empty()) return -1;
  std::vector<std::string>& names = module.inlined_functions;
  std::string plain = base::one_line(sass::plain_name(name));
  auto known = std::ranges::find(names, plain);
  if (known == names.end()) known = names.insert(names.end(), std::move(plain));
  return static_cast<std::int32_t>(known - names.begin());
}

/// Adds the source positions of an instruction. Returns the index of the innermost one; -1 if there are none.
std::int32_t add_location(ptx::Module& module, ptx::Function& function,
                          const std::vector<sass::SourcePosition>& positions) {
  std::int32_t outer = -1;
  for (auto position = positions.rbegin(); position != positions.rend(); ++position) {
    const ptx::Location location{file_index(module, position->file), position->line, 0, outer,
                                 function_index(module, position->function)};
    const auto known = std::find_if(function.locations.begin(), function.locations.end(), [&](const auto& other) {
      return other.file == location.file && other.line == location.line && other.inlined_at == location.inlined_at &&
             other.function == location.function;
    });
    outer = static_cast<std::int32_t>(known - function.locations.begin());
    if (known == function.locations.end()) function.locations.push_back(location);
  }
  return outer;
}

}  // namespace

bool reads_mbarrier_phase(const CodeImage& image, const sass::Instruction& instruction) {
  constexpr std::int64_t upper_word = 4;
  if (instruction.opcode != Opcode::lds) return false;
  const auto read = std::ranges::find(instruction.operands, sass::OperandKind::address, &sass::Operand::kind);
  return read != instruction.operands.end() && std::ranges::any_of(image.mbarriers, [&](const sass::Operand& barrier) {
           return barrier.value + upper_word == read->value && barrier.reg == read->reg &&
                  barrier.uniform == read->uniform;
         });
}

std::shared_ptr<const ptx::Module> describe_machine_code(const sass::Cubin& cubin, const sass::CubinFunction& kernel) {
  auto module = std::make_shared<ptx::Module>();
  module->target = sass::name_of(cubin.architecture);
  for (const sass::CubinVariable& variable : cubin.variables) {
    if (variable.space == sass::CubinSpace::constant) continue;  // a part of its bank
    ptx::Variable& added = module->variables.emplace_back();
    added.name = base::one_line(std::string(variable.name));
    if (variable.space == sass::CubinSpace::texture) added.type = ptx::Type::texref;
    if (variable.space == sass::CubinSpace::sampler) added.type = ptx::Type::samplerref;
    if (variable.space == sass::CubinSpace::surface) added.type = ptx::Type::surfref;
    added.bytes = variable.bytes;
    added.alignment = 256;
    added.initial.assign(variable.initial.begin(), variable.initial.end());
  }
  ptx::Function& function = module->functions.emplace_back();
  function.name = base::one_line(std::string(kernel.name));
  function.is_entry = function.defined = true;
  for (const sass::CubinParameter& parameter : kernel.parameters) {
    ptx::Parameter& added = function.parameters.emplace_back();
    added.name = std::to_string(parameter.ordinal);
    added.type = ptx::Type::none;
    added.bytes = parameter.bytes;
    added.offset = parameter.offset;
  }
  function.maxntid = kernel.max_block;
  function.reqntid = kernel.required_block;
  function.reqnctapercluster = kernel.cluster;
  function.maxclusterrank = kernel.max_cluster_blocks;
  return module;
}

/// Lines of PTX in a damaged file may be any number.
constexpr std::uint32_t last_possible_line = std::uint32_t{1} << 24;

void describe_instructions(const sass::Cubin& cubin, const CodeImage& image, ptx::Module& module) {
  ptx::Function& function = module.functions.front();
  for (const sass::Instruction& i : image.code) {
    const CodeImage::Part& part = image.part_at(i.address);
    const std::uint64_t address = i.address - part.begin;
    ptx::Instruction& added = function.instructions.emplace_back();
    added.opcode = reads_mbarrier_phase(image, i) ? ptx::Opcode::mbarrier_test_wait : ptx_opcode(i);
    // Accesses to shared memory complete in order, so ptxas leaves out the fence after a lock is taken.
    const bool swaps = i.has(sass::Word::cas) || i.has(sass::Word::cast) || i.has(sass::Word::exch);
    if (i.opcode == Opcode::atoms && swaps) added.modifiers.set(static_cast<std::size_t>(ptx::Modifier::acq_rel));
    const std::uint32_t line = sass::ptx_line(*part.function, address);
    added.line = line <= last_possible_line ? line : 0;  // counts are kept for each line
    added.location = add_location(module, function, sass::source_positions(cubin, *part.function, address));
  }
}

}  // namespace warpwalk::gpu
