#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/sass/analysis/control_flow.h"
#include "core/story/elements/narration.h"
#include "core/story/facts/code/decoded_kernel.h"

namespace warpwalk::story {

/// An explanation of a machine instruction, from its text.
struct InstructionWords {
  std::string opcode;                                          ///< "LDG"
  std::string does;                                            ///< one sentence; empty for an opcode without one
  std::vector<std::pair<std::string, std::string>> modifiers;  ///< ".E" and its meaning
  std::string guard;                                           ///< "only in lanes where P0 is false"; empty: always

  /// All of it, one thing per line.
  std::string lines() const;
};

/// Explains "@!P0 LDG.E.64 R4, [R2.64]" with the words of [sass.opcode] and [sass.modifier]. Accepts any text; parts
/// without words are left out.
InstructionWords instruction_words(const Narration& narration, std::string_view text);

/// Where an instruction is, from the start of the kernel: its byte offset as a text.
std::string instruction_address_text(std::size_t instruction);

inline constexpr std::uint8_t dependence_barriers = 6;

/// The control codes of an instruction in sentences, with the words of [translator.schedule]. `setters`: also which
/// instruction sets the barrier that this one waits for. Empty for an instruction that is not known.
std::vector<std::string> control_sentences(const Narration& narration, const DecodedKernel& kernel,
                                           const sass::ControlFlow& flow, std::size_t instruction, bool setters);

}  // namespace warpwalk::story
