#pragma once

// The data that the lab of tensor cores computes from its controls, and the panels of its beats.
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/tensor_cores/tensor_math.h"

namespace warpwalk::story {

/// The lab's settings, and what follows from them.
struct TensorLab {
  static constexpr std::string_view name = "lab/tensor-cores";
  static constexpr std::string_view words = "lab/tensor-cores.word";

  const SceneInput& input;
  ControlSet controls{input, name};
  std::string_view format;
  TensorTile tile{"FP16"};
  TensorMatrix matrix = TensorMatrix::d;
  int row = 0, column = 0;  ///< of D
  int lane = 0;
  std::int64_t length = 0;
  DotPrecision dot;
  std::vector<double> weights;  ///< a row for 2:4 sparsity

  explicit TensorLab(const SceneInput& in);
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(words, key, values);
  }
};

/// A, B or D with what the chosen element of D needs, and the products of that element.
Panel matrix_panel(const TensorLab& lab, TensorMatrix matrix);
Panel products_panel(const TensorLab& lab);
/// The elements of the chosen matrix by the lane that holds them, and the registers of the chosen lane.
Panel fragment_panel(const TensorLab& lab);
Panel registers_panel(const TensorLab& lab);
/// Sums of several lengths with their errors.
Panel precision_panel(const TensorLab& lab);
/// The formats that the tensor cores of each generation multiply (NVIDIA's architecture white papers).
Panel tensor_generations_panel(const TensorLab& lab);
/// A row of weights before and after 2:4 pruning.
Panel sparse_panel(const TensorLab& lab, bool pruned);

}  // namespace warpwalk::story
