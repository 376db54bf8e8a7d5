#pragma once

// The lab of layouts: where the elements of a Triton kernel's tensors are, in registers and in shared memory.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/run/layouts/check_layouts.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// The TTGIR and the PTX of a matrix product that Triton compiled for sm_90: assets/layouts, which the build compiles
/// in (cmake/Embed.cmake).
std::string_view layouts_ttgir();
std::string_view layouts_ptx();

/// The layouts of that kernel, compared with a run of one block that multiplies two matrices of 64 x 64.
struct LayoutRun {
  run::CheckedLayouts layouts;
  std::string error;  ///< why it did not run; empty: it did
};
/// It runs once, on the first device that is given.
const LayoutRun& run_of_layouts(const gpu::Device& device);

/// The lab's settings, and what follows from them.
struct LayoutsLab {
  static constexpr std::string_view name = "lab/layouts";
  static constexpr std::string_view words = "lab/layouts.word";
  static constexpr std::int64_t shown_rows = 12, shown_columns = 32;  ///< of a tensor in registers

  enum class Tensor : std::uint8_t { blocked, product, operand };

  const SceneInput& input;
  ControlSet controls{input, name};
  const LayoutRun& run;
  Tensor tensor = Tensor::blocked;
  std::size_t buffer = 0;      ///< A or B in shared memory, or A without a swizzle
  std::int64_t first_row = 0;  ///< that is shown of the tensor
  std::int64_t row = 0, column = 0;

  explicit LayoutsLab(const SceneInput& in);
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(words, key, values);
  }

  /// The layout of the chosen tensor in registers, its attribute, and its entry in the run; npos: not of the run.
  compiled::LinearLayout layout;
  std::string encoding;
  std::size_t entry = std::string::npos;
  /// Likewise of the chosen buffer in shared memory.
  compiled::LinearLayout shared_layout;
  std::string shared_encoding;
  std::size_t shared_entry = std::string::npos;

  /// The place of the chosen element: the first that holds it.
  compiled::LayoutPlace place() const;
  const run::LayoutCheck* check(std::size_t of) const {
    return of < run.layouts.checks.size() ? &run.layouts.checks[of] : nullptr;
  }
};

/// The elements of a tensor, by the warp and the lane that hold them.
Panel elements_panel(const LayoutsLab& lab);
/// The registers of the lane that holds the chosen element.
Panel lane_panel(const LayoutsLab& lab);
/// The banks of shared memory, 32 in a row, with the elements that they hold.
Panel banks_panel(const LayoutsLab& lab);
/// The attribute of a layout as Triton writes it.
Panel attribute_panel(const LayoutsLab& lab, bool shared);
/// All layouts of the kernel, each with what the run says of it.
Panel checks_panel(const LayoutsLab& lab);

}  // namespace warpwalk::story
