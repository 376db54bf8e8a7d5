#pragma once

// The data that the lab of number formats computes from its controls, and the panels of its beats.
#include "core/gpu/alu/matrix/block_scaling.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// What a beat says of the settings.
struct NumberStart {
  std::size_t format = 3;  ///< number of the format, unless the person chooses another one
};

/// The lab's settings, and what follows from them.
struct NumberLab {
  using Format = gpu::alu::NumberFormat;
  static constexpr std::string_view name = "lab/number-formats";
  static constexpr std::string_view words = "lab/number-formats.word";

  const SceneInput& input;
  ControlSet controls;
  std::size_t chosen = 0;       ///< number of the format
  const Format* format;         ///< it
  bool whole = true;            ///< FP64 keeps the decimal number exactly
  double entered = 0;           ///< the decimal number: digits times a power of ten
  std::uint64_t rounded = 0;    ///< the pattern that is nearest to it
  std::uint64_t pattern = 0;    ///< the same with the flipped bits
  double code = 0;              ///< of format and number: flips hold for this alone
  std::size_t scaled = 0;       ///< number of the format of the vector
  std::vector<double> vector;   ///< with its outlier
  bool vector_of_walk = false;  ///< it is from an input of the followed op
  std::int64_t outlier = 1;     ///< factor of one element
  double term = 0;              ///< of the sum, as FP16 keeps it
  std::int64_t terms = 0;
  std::int64_t loss_scale = 0;    ///< a power of two
  std::vector<double> gradients;  ///< magnitudes before the loss is scaled, increasing

  NumberLab(const SceneInput& in, const NumberStart& start);

  /// Whether a format keeps the decimal number exactly.
  bool exact_in(const Format& one) const { return whole && gpu::alu::kept(one, entered) == entered; }
  double value() const { return gpu::alu::value_of(*format, pattern); }
  bool flipped() const { return pattern != rounded; }
  /// The settings that a click makes to show this pattern.
  std::vector<std::pair<std::string, double>> sets(std::uint64_t wanted) const;
  std::string hex(std::uint64_t bits) const;
  std::string_view kind_word() const;
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(words, key, values);
  }
};

/// The elements that the example vector has.
constexpr std::size_t number_vector_size = 64;
/// The element that is the outlier.
constexpr std::size_t number_outlier = 5;

/// The rounding error of a kept value: "−2.44e-05". That of FP64 is not known to more than "≤ 6.9e-18".
std::string error_text(const NumberLab& lab, const NumberLab::Format& format, double kept);

/// Root of the mean squared difference.
double rms_error(const std::vector<double>& wanted, const std::vector<double>& got);
/// Bits per element with its part of its block's scale. A scale of the whole tensor is not counted: tensors have
/// millions of elements.
double bits_each(const gpu::alu::ScaledFormat& format, const gpu::alu::ScaledVector& vector);

// Panels of the value: its bits, its parts, its rounding in each format, the ranges of the formats, all patterns of a
// format.
Panel bits_panel(const NumberLab& lab);
Panel parts_panel(const NumberLab& lab);
Panel kept_panel(const NumberLab& lab);
Panel range_panel(const NumberLab& lab);
Panel limits_panel(const NumberLab& lab);
Panel patterns_panel(const NumberLab& lab);

// Panels of mixed precision: a vector and its errors, sums, gradients.
Panel vector_panel(const NumberLab& lab);
Panel errors_panel(const NumberLab& lab);
Panel sums_panel(const NumberLab& lab);
Panel gradients_panel(const NumberLab& lab);

/// Gradients that FP16 keeps as zero and as infinity after scaling.
struct LostGradients {
  std::int64_t zeros = 0, subnormals = 0, infinities = 0;
};
LostGradients lost_gradients(const NumberLab& lab);

}  // namespace warpwalk::story
