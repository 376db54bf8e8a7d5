#pragma once

// The data that the lab of PTX and machine code computes from its controls, and the panels of its beats.
#include <array>

#include "core/ptx/module.h"
#include "core/records/kernel_levels.h"
#include "core/sass/analysis/control_flow.h"
#include "core/sass/opcode_properties.h"
#include "core/story/facts/code/decoded_kernel.h"
#include "core/story/facts/code/ptx_fate.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// Machine instructions by kind; padding and code that is never reached do not count.
struct KindCounts {
  std::array<std::int64_t, 8> of{};
  std::int64_t all = 0;

  std::int64_t count(sass::InstructionKind kind) const { return of[static_cast<std::size_t>(kind)]; }
};
KindCounts kind_counts(const DecodedKernel& kernel, const sass::ControlFlow& flow);
/// Counts the only kernel of a module and the functions that it calls.
KindCounts kind_counts(const trace::Module& module);

/// What a beat says of the settings.
struct CompiledStart {
  bool examples_alone = false;  ///< it cannot show the followed kernel, which has one level
};

/// The chosen kernel at the chosen level, with its PTX and machine code.
struct CompiledLab {
  static constexpr std::string_view name = "lab/ptx-sass";
  static constexpr std::string_view words = "lab/ptx-sass.word";

  const SceneInput& input;
  ControlSet controls;
  const records::LevelledKernel* example = nullptr;  ///< null: the followed kernel
  std::size_t level = 0;                             ///< of the example
  const trace::Module* module = nullptr;             ///< null if there is no code at all
  std::string entry;
  std::string kernel_name;  ///< for people
  std::optional<DecodedKernel> kernel;
  sass::ControlFlow flow;
  std::int64_t instructions = 0;         ///< of the machine; for a followed kernel, without the functions that it calls
  std::vector<std::uint32_t> ptx_lines;  ///< of each machine instruction; 0: none, or not reached
  std::vector<PtxFate> fates;            ///< empty if the PTX cannot be read
  std::vector<std::string> ptx_text;     ///< lines of the PTX
  const PtxFate* fate = nullptr;         ///< of the chosen PTX instruction
  std::size_t instruction = 0;           ///< the chosen machine instruction
  std::int64_t source_line = 0;          ///< the chosen line; 0: the one with the most code

  CompiledLab(const SceneInput& in, const CompiledStart& start);

  const records::CompiledLevel* compiled() const { return example == nullptr ? nullptr : &example->levels[level]; }
  /// The default level of ptxas.
  const records::CompiledLevel& best() const { return example->levels.back(); }
  /// The text of a line of the PTX, from 1.
  std::string ptx_line(std::size_t line) const { return line - 1 < ptx_text.size() ? ptx_text[line - 1] : ""; }
  /// The machine instructions to show for the chosen PTX instruction: its own, or those it was merged into.
  std::vector<std::uint32_t> shown_sass() const;
  /// The nearest earlier load or other instruction for whose barrier a machine instruction waits; none if it waits for
  /// none.
  std::optional<std::uint32_t> awaited_by(std::size_t instruction) const;
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(words, key, values);
  }

 private:
  void choose_kernel(const CompiledStart& start);
  void read_code();
  void choose_places();
};

/// Source, PTX and machine code; the lines that come from the chosen line of source are highlighted.
Panel linked_panel(const CompiledLab& lab);
/// Each level: size, registers, instructions executed and cycles; or its machine instructions by kind.
Panel levels_panel(const CompiledLab& lab);
Panel kinds_panel(const CompiledLab& lab);
/// The cycles of each level against the instructions that warps executed, simulated and measured.
Panel cycles_panel(const CompiledLab& lab);
/// The machine code of the chosen level beside that of -G (of -O3, if -G is chosen), linked by source lines.
Panel two_levels_panel(const CompiledLab& lab);
/// The PTX instructions, each with what became of it; the machine code of the chosen one.
Panel fates_panel(const CompiledLab& lab);
Panel machine_code_panel(const CompiledLab& lab);
/// The control codes around the chosen machine instruction, and those of that one in sentences.
Panel control_codes_panel(const CompiledLab& lab);
Panel control_words_panel(const CompiledLab& lab);

}  // namespace warpwalk::story
