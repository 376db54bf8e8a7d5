#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/replay/time_travel.h"

namespace warpwalk::story {

/// An instruction of the program whose cycles are shown.
struct InstructionText {
  std::string text;              ///< as NVIDIA's disassembler writes it, or the line of the PTX, without its semicolon
  std::int64_t number = 0;       ///< machine code: its address; PTX: its line
  std::int64_t source_line = 0;  ///< 0: not known
};

/// The instruction with this index, of the machine code or the PTX that runs.
InstructionText instruction_text(const run::TimeTravel& travel, const run::History& history, std::uint32_t index);
/// Number of instructions of the program.
std::uint32_t instruction_count(const run::TimeTravel& travel);

}  // namespace warpwalk::story
