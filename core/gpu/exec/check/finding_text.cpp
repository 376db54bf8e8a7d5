#include "core/gpu/exec/check/finding_text.h"

#include <fmt/format.h>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/finding.h"

namespace warpwalk::gpu {

std::string place_of(const Program& program, std::uint32_t instruction) {
  Finding at;
  locate_finding(program, instruction, at);
  if (at.source_line != 0) return fmt::format("line {}", at.source_line);
  if (at.ptx_line == 0 && program.machine_code && instruction < program.machine_code->instructions.size())
    return fmt::format("instruction {:#06x}", program.machine_code->instructions[instruction].address);
  return fmt::format("PTX line {}", at.ptx_line);
}

std::string_view name_in_source(std::string_view name) {
  if (!name.starts_with("_Z")) return name;
  // The mangled name of a function-local variable ends with "<length><name>".
  for (std::size_t length = 1; length + 3 <= name.size(); ++length) {
    const std::string digits = std::to_string(length);
    const std::string_view before = name.substr(0, name.size() - length);
    if (before.ends_with(digits) && (name[name.size() - length] < '0' || name[name.size() - length] > '9'))
      return name.substr(name.size() - length);
  }
  return name;
}

std::string shared_place(const Program& program, std::uint32_t offset) {
  const std::uint64_t address = shared_begin + offset;
  const auto describe = [&](const ptx::Variable& variable, std::uint64_t begin) -> std::string {
    const bool dynamic = variable.bytes == 0;
    if (variable.space != ptx::Space::shared || begin == 0 || address < begin) return "";
    if (!dynamic && address - begin >= variable.bytes) return "";
    const std::string name = fmt::format("`{}`", name_in_source(variable.name));
    if (!dynamic && variable.bytes <= 8) return name;
    return fmt::format("{} at byte {}", name, address - begin);
  };
  for (std::size_t i = 0; i < program.module->variables.size(); ++i) {
    if (std::string text = describe(program.module->variables[i], program.variable_addresses[i]); !text.empty())
      return text;
  }
  for (const Function& function : program.functions) {
    for (std::size_t i = 0; i < function.source->variables.size(); ++i) {
      if (std::string text = describe(function.source->variables[i], function.variable_offsets[i]); !text.empty())
        return text;
    }
  }
  return fmt::format("shared memory at byte {}", offset);
}

}  // namespace warpwalk::gpu
