#include "core/gpu/exec/memory/texture_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {
namespace {

/// The texture and surface variables that the program's code names.
std::vector<std::size_t> used_references(const Program& program) {
  std::vector<std::size_t> used;
  if (program.machine_code)
    for (const HandlePlace& place : program.machine_code->handles) used.push_back(place.variable);
  for (const SourceInstruction& source : program.sources)
    for (const ptx::Operand& operand : source.instruction->operands) {
      const ptx::Operand& named = operand.kind == ptx::OperandKind::texel ? operand.elements[0] : operand;
      if (named.kind != ptx::OperandKind::variable) continue;
      const auto index = static_cast<std::size_t>(named.index);
      if (program.module->variables[index].type >= ptx::Type::texref) used.push_back(index);
    }
  return used;
}

}  // namespace

base::Result<TextureTable> TextureTable::make(const Program& program, const Launch& launch, const Memory& memory,
                                              const std::vector<std::uint64_t>& buffers) {
  TextureTable table;
  for (std::size_t i = 0; i < launch.textures.size(); ++i) {
    const TextureObject& object = launch.textures[i];
    const bool outer = object.address != 0;
    if (!outer && (object.buffer >= launch.buffers.size() ||
                   launch.buffers[object.buffer].bytes.size() < object.descriptor.bytes()))
      return base::Error{
          fmt::format("texture `{}`: its buffer is smaller than its {} bytes", object.name, object.descriptor.bytes())};
    if (program.uses_derivatives && object.descriptor.levels > 1)
      return base::Error{
          fmt::format("texture `{}`: has mipmap levels, but the kernel chooses them by derivatives (tex.grad); the "
                      "simulated GPU supports only explicit levels (tex.level)",
                      object.name)};
    const std::uint64_t address = outer ? object.address : buffers[object.buffer];
    const Region* const region = memory.find(address);
    if (region == nullptr) continue;
    if (outer && region->bytes - (address - region->base) < object.descriptor.bytes())
      return base::Error{fmt::format("texture `{}`: {} is smaller than its {} bytes", object.name, region->name,
                                     object.descriptor.bytes())};
    table.by_handle_[object.handle != 0 ? object.handle : texture_handle(i)] = {&object, region,
                                                                                address - region->base};
  }
  const auto& variables = program.module->variables;
  for (const std::size_t index : used_references(program)) {
    const auto bound = std::ranges::find(launch.references, variables[index].name, &TextureReference::variable);
    if (bound == launch.references.end())
      return base::Error{
          fmt::format("the kernel uses the texture or surface variable `{}`, which the launch does not bind",
                      variables[index].name)};
    const BoundTexture* const object = table.find(texture_handle(bound->texture));
    if (object != nullptr) table.by_handle_[program.variable_addresses[index]] = *object;
  }
  return table;
}

}  // namespace warpwalk::gpu
