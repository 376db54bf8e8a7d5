#include "core/story/facts/code/instruction_text.h"

#include "core/gpu/exec/program.h"
#include "core/run/replay/history.h"
#include "core/sass/text.h"

namespace warpwalk::story {
namespace {

// 90 for "9.0".
std::uint32_t capability_number(const std::string& capability) {
  std::uint32_t number = 0;
  for (const char c : capability)
    if (c >= '0' && c <= '9') number = number * 10 + static_cast<std::uint32_t>(c - '0');
  return number;
}

// A line of a text, counted from 1, with single spaces and without the semicolon at its end.
std::string line_of(const std::string& text, std::uint32_t number) {
  std::size_t from = 0;
  for (std::uint32_t i = 1; i < number && from != std::string::npos; ++i) {
    from = text.find('\n', from);
    if (from != std::string::npos) ++from;
  }
  if (from == std::string::npos) return {};
  std::string line;
  for (const char c : text.substr(from, text.find('\n', from) - from)) {
    const bool space = c == ' ' || c == '\t' || c == '\r';
    if (!space)
      line.push_back(c);
    else if (!line.empty() && line.back() != ' ')
      line.push_back(' ');
  }
  while (line.ends_with(';') || line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

InstructionText instruction_text(const run::TimeTravel& travel, const run::History& history, std::uint32_t index) {
  const gpu::Program& program = travel.program();
  if (index >= instruction_count(travel)) return {};
  gpu::Finding place;
  gpu::locate_finding(program, index, place);
  InstructionText text{{}, place.ptx_line, place.source_line};
  if (program.machine_code) {
    const sass::Instruction& instruction = program.machine_code->instructions[index];
    const auto architecture = sass::architecture_of(capability_number(*travel.device().compute_capability));
    text.text = sass::text_of(instruction, architecture.value_or(sass::Architecture::sm_90));
    text.number = static_cast<std::int64_t>(instruction.address);
  } else {
    text.text = line_of(history.ptx, place.ptx_line);
  }
  return text;
}

std::uint32_t instruction_count(const run::TimeTravel& travel) {
  return static_cast<std::uint32_t>(travel.program().sources.size());
}

}  // namespace warpwalk::story
