#include "core/gpu/exec/launch_addresses.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

namespace {

constexpr std::uint64_t address_bytes = 8;

std::optional<std::string> field_error(const Program& program, const Launch& launch, const AddressField& field,
                                       std::uint64_t bytes) {
  if (field.at > bytes || bytes - field.at < address_bytes)
    return fmt::format("an address at byte {} lies outside of its {} bytes", field.at, bytes);
  if (field.buffer >= 0) {
    if (static_cast<std::size_t>(field.buffer) < launch.buffers.size()) return {};
    return fmt::format("there is no buffer {}", field.buffer);
  }
  if (field.texture >= 0) {
    if (static_cast<std::size_t>(field.texture) < launch.textures.size()) return {};
    return fmt::format("there is no texture {}", field.texture);
  }
  if (!field.variable.empty()) {
    if (find_variable(program, field.variable)) return {};
    return fmt::format("the module has no variable `{}`", field.variable);
  }
  if (program.function_addresses.contains(field.function)) return {};
  return fmt::format("the program was prepared without the device function `{}`", field.function);
}

std::optional<std::string> variable_error(const Program& program, const Launch& launch, const Buffer& buffer) {
  if (buffer.variable.empty()) return {};
  const auto place = find_variable(program, buffer.variable);
  if (!place) return fmt::format("the module has no variable `{}`", buffer.variable);
  if (buffer.address != 0)
    return fmt::format("variable `{}` has its own address, but the launch gives {:#x}", buffer.variable,
                       buffer.address);
  if (std::ranges::count(launch.buffers, buffer.variable, &Buffer::variable) > 1)
    return fmt::format("variable `{}` has two buffers", buffer.variable);
  if (place->constant != nullptr && !buffer.initialized && !buffer.addresses.empty())
    return fmt::format("constant `{}` has addresses but no other contents", buffer.variable);
  if (place->bytes == buffer.bytes.size()) return {};
  return fmt::format("variable `{}` has {} bytes, but the launch gives {}", buffer.variable, place->bytes,
                     buffer.bytes.size());
}

}  // namespace

std::optional<VariablePlace> find_variable(const Program& program, std::string_view name) {
  const auto& variables = program.module->variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const ptx::Variable& variable = variables[i];
    const bool in_memory = variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
    if (!in_memory || variable.bytes == 0 || variable.type >= ptx::Type::texref || variable.name != name) continue;
    return VariablePlace{program.variable_addresses[i], variable.bytes, &variable, nullptr};
  }
  if (!program.machine_code) return {};
  for (const ConstantVariable& constant : program.machine_code->constants)
    if (constant.name == name)
      return VariablePlace{bank_address(constant.bank) + constant.offset, constant.bytes, nullptr, &constant};
  return {};
}

std::vector<std::uint64_t> buffer_addresses(const Program& program, const Launch& launch) {
  // Buffers are far apart, so that an index past the end of one does not land in the next.
  constexpr std::uint64_t buffer_spacing = std::uint64_t{1} << 24;
  std::uint64_t next = buffers_base;
  for (const Buffer& buffer : launch.buffers)
    if (buffer.address != 0)
      next =
          std::max(next, (buffer.address + buffer.bytes.size()) / buffer_spacing * buffer_spacing + 2 * buffer_spacing);
  std::vector<std::uint64_t> addresses;
  for (const Buffer& buffer : launch.buffers) {
    if (!buffer.variable.empty()) {
      addresses.push_back(find_variable(program, buffer.variable)->address);
      continue;
    }
    addresses.push_back(buffer.address != 0 ? buffer.address : next);
    if (buffer.address == 0)
      next += (buffer.bytes.size() + buffer_spacing) / buffer_spacing * buffer_spacing + buffer_spacing;
  }
  return addresses;
}

std::optional<std::string> address_error(const Program& program, const Launch& launch) {
  for (const Buffer& buffer : launch.buffers) {
    if (auto wrong = variable_error(program, launch, buffer)) return wrong;
    for (const AddressField& field : buffer.addresses)
      if (auto wrong = field_error(program, launch, field, buffer.bytes.size()))
        return fmt::format("buffer `{}`: {}", buffer.name, *wrong);
  }
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    for (const AddressField& field : launch.arguments[i].addresses)
      if (auto wrong = field_error(program, launch, field, launch.arguments[i].bytes.size()))
        return fmt::format("argument {}: {}", i, *wrong);
  return {};
}

std::vector<std::string> passed_functions(const Launch& launch) {
  std::set<std::string> names;
  const auto collect = [&](const std::vector<AddressField>& fields) {
    for (const AddressField& field : fields)
      if (!field.function.empty()) names.insert(field.function);
  };
  for (const Argument& argument : launch.arguments) collect(argument.addresses);
  for (const Buffer& buffer : launch.buffers) collect(buffer.addresses);
  return {names.begin(), names.end()};
}

}  // namespace warpwalk::gpu
