#include "core/gpu/exec/check/race_text.h"

#include <fmt/format.h>

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

}  // namespace warpwalk::gpu
