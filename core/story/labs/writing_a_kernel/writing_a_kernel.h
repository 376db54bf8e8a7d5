#pragma once

// Common to all parts of the lab "writing-a-kernel": the settings and the pictures.
#include <fmt/format.h>

#include "core/story/labs/lab_parts.h"
#include "core/story/labs/writing_a_kernel/host_parts.h"
#include "core/story/labs/writing_a_kernel/kernel_run.h"

namespace warpwalk::story {

/// A part of the op that its author forgot.
enum class Mistake : unsigned char { none, alias, type_case, bounds, derivative };

struct KernelWriting {
  static constexpr std::string_view name = "lab/writing-a-kernel";
  static constexpr std::string_view mistakes[] = {"none", "alias", "type_case", "bounds", "derivative"};
  static constexpr ops::DType dtypes[] = {ops::DType::f16, ops::DType::bf16, ops::DType::f32, ops::DType::f64};
  /// The type whose case is missing from the switch after that mistake.
  static constexpr ops::DType forgotten = ops::DType::bf16;

  const SceneInput& input;
  ControlSet controls{input, name};
  KernelSetting setting;
  Mistake mistake = Mistake::none;
  // What the beat that shows it has run.
  KernelRun run;
  AliasTrial alias;
  DerivativeTrial derivative;

  explicit KernelWriting(const SceneInput& in);

  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text("lab/writing-a-kernel.word", key, values);
  }
  std::string slope_text() const { return fmt::format("{:g}", setting.slope); }
  const gpu::Device& device() const { return described_gpu(input.hardware, "h200"); }
  /// The switch over the type has no case for the chosen type.
  bool refused() const { return mistake == Mistake::type_case && setting.dtype == forgotten; }
};

/// The text of a part of the op. `shown`: 0 to 1, how far the light has gone down.
Panel schema_code(const KernelWriting& lab);
Panel output_code(const KernelWriting& lab, double shown);
Panel types_code(const KernelWriting& lab);
Panel kernel_code(const KernelWriting& lab, double shown);
Panel derivative_code(const KernelWriting& lab);

/// The op in place with its schema: version counter, saved tensor, gradient.
Panel alias_panel(const KernelWriting& lab);
/// The input's memory and the output's, element by element.
Panel memory_panel(const KernelWriting& lab, bool output);
/// The kernel instance of each type.
Panel instances_panel(const KernelWriting& lab);
/// The threads of the grid, or its last ones.
Panel threads_panel(const KernelWriting& lab);
/// Input against output, simulated, with the two lines of the formula.
Panel result_panel(const KernelWriting& lab);
Panel compared_panel(const KernelWriting& lab);
/// Input against gradient: autograd and differences.
Panel derivative_panel(const KernelWriting& lab);

}  // namespace warpwalk::story
