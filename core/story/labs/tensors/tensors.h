#pragma once

// Common to all parts of the lab "tensors": the settings, the chain of steps, the data derived from them, and the
// pictures.
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/tensors/sparse_layouts.h"
#include "core/story/labs/tensors/view_steps.h"

namespace warpwalk::story {

/// The steps that a person chooses from, for any number of dimensions.
enum class ChosenStep : std::uint8_t {
  none,
  row,          ///< the second index of the first dimension
  rows,         ///< all but the first index of the first dimension
  column,       ///< the second index of the last dimension
  every_other,  ///< every other index of the last dimension
  transpose,    ///< the last two dimensions
  permute,      ///< the last dimension first
  expand,       ///< a new first dimension of two equal parts
  reshape,
  view,
  contiguous
};

/// Words for each StepEffect, and its colour.
constexpr std::array<std::string_view, 4> effect_keys = {"view", "same", "copy", "refused"};
constexpr std::array<Tone, 4> effect_tones = {Tone::work, Tone::quiet, Tone::memory, Tone::refused};

/// The result of one step of a chain.
struct TakenStep {
  std::string code;  ///< ".transpose(-2, -1)"
  StepEffect effect = StepEffect::view;
  std::string why;
  StoredTensor after;
};

/// A type of elements: PyTorch's name, bytes of one element, and the C++ type that a kernel is compiled for.
struct ElementType {
  std::string_view name;
  std::int64_t bytes;
  std::string_view cpp;
};
constexpr std::array<ElementType, 6> element_types = {{{"float64", 8, "double"},
                                                       {"float32", 4, "float"},
                                                       {"bfloat16", 2, "c10::BFloat16"},
                                                       {"float8_e4m3fn", 1, "c10::Float8_e4m3fn"},
                                                       {"int64", 8, "int64_t"},
                                                       {"bool", 1, "bool"}}};

/// The traffic of a warp of 32 lanes that reads 32 elements at a stride, from the first byte of a line on.
struct WarpRead {
  std::int64_t stride = 1;  ///< in elements
  std::int64_t bytes = 4;   ///< of an element
  std::int64_t sectors = 0, lines = 0;

  /// Counted by the coalescer of the simulated GPU, as in lab/coalescing.
  WarpRead(std::int64_t stride, std::int64_t bytes);
  double efficiency() const;  ///< percent of the moved bytes that a lane asked for
  /// Bytes that a kernel moves which also writes the 32 elements side by side, in terms of those of a packed read.
  double moved_times() const;
};

/// What a beat says of the settings.
struct TensorsStart {
  static constexpr std::size_t steps = 3;       ///< that a person can choose
  std::size_t taken = 0;                        ///< steps that the beat shows, of these
  std::array<ChosenStep, steps> usual = {};     ///< those that are taken unless the person chooses
  MatrixLayout layout = MatrixLayout::strided;  ///< unless the person chooses another one
};

/// The settings of the lab, and what follows from them.
struct Tensors {
  static constexpr std::string_view name = "lab/tensors";
  static constexpr std::array<std::string_view, 4> devices = {"cpu", "cuda", "xla", "hip"};
  static constexpr std::array<std::string_view, 4> backends = {"CPU", "CUDA", "XLA", "HIP"};
  /// The matrix whose views a GPU reads has rows of this many elements; so a.t() has this stride.
  static constexpr std::int64_t row_length = 4096;
  /// Strides of the views that a warp reads.
  static constexpr std::array<double, 11> read_strides = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, row_length};

  const SceneInput& input;
  ControlSet controls{input, name};
  StoredTensor first;                ///< before the chain
  std::vector<TakenStep> chain;      ///< without steps of kind `none`; ends with one that is refused
  std::int64_t element = 0;          ///< the followed one, in row-major order of the last tensor's indices
  std::vector<std::int64_t> places;  ///< that the last tensor reads
  std::int64_t stride = 1;           ///< of the view that a warp reads
  std::size_t device = 0, type = 0;
  MatrixLayout layout = MatrixLayout::strided;
  SparseMatrix matrix;
  std::int64_t entry = 0;  ///< the followed element of the matrix

  Tensors(const SceneInput& in, const TensorsStart& start);

  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text("lab/tensors.word", key, values);
  }
  const StoredTensor& last() const { return chain.empty() ? first : chain.back().after; }
  const ops::Geometry& geometry() const { return last().geometry; }
  bool has(StepEffect effect) const;
  bool is_empty() const { return places.empty(); }
  /// "a.transpose(-2, -1)[1:]"; without the last `dropped` steps.
  std::string code(std::size_t dropped = 0) const;
  /// The code of the last tensor: without a step that is refused.
  std::string last_code() const { return code(has(StepEffect::refused) ? 1 : 0); }
  /// The place of the followed element in the storage; -1 if the tensor is empty.
  std::int64_t place() const { return is_empty() ? -1 : places[static_cast<std::size_t>(element)]; }
  /// "[2, 3]"; "[]" of a tensor without dimensions.
  std::string index_text(std::int64_t number) const;
  /// "0 + 2 × 6 + 3 × 1 = 15".
  std::string place_text(std::int64_t number) const;
  /// "a[:, ::8]", "a.t()".
  std::string read_text(std::int64_t of_stride) const;

 private:
  void take_steps(const TensorsStart& start);
  std::string why(const ViewStep& step, StepEffect effect, const ops::Geometry& before) const;
};

/// The last tensor by its indices: a panel for each matrix of its last two dimensions, at most `max_slabs` around the
/// followed element.
constexpr std::int64_t max_slabs = 6;
std::vector<Panel> element_panels(const Tensors& lab);
/// The storage of the last tensor, with what the tensor reads and the followed element.
Panel storage_panel(const Tensors& lab);
/// After a copy: the storage of the first tensor, from which the elements were copied.
Panel old_storage_panel(const Tensors& lab);
/// offset + index × stride + ... of the followed element, a row for each dimension.
Panel place_panel(const Tensors& lab);
/// Each dimension's size and stride, beside the stride that a contiguous tensor has.
Panel dims_panel(const Tensors& lab);
/// The places in the order of the indices.
Panel order_panel(const Tensors& lab);
/// The tensor before the chain and after each step; what the last step did only if `known`.
Panel steps_panel(const Tensors& lab, bool known = true);

/// How many times as long as of a contiguous matrix the read of a view takes, as measured; none without a record.
std::optional<double> measured_times(const Tensors& lab, std::int64_t stride);
/// The bytes and the time of an element-wise kernel against the stride; each way to read a matrix; a link to
/// lab/coalescing.
Panel read_panel(const Tensors& lab);
Panel read_table(const Tensors& lab);
Panel read_links(const Tensors& lab);

/// The matrix with its nonzeros, the arrays of its layout, the bytes of each layout, and what the three axes decide.
Panel matrix_panel(const Tensors& lab);
std::vector<Panel> array_panels(const Tensors& lab);
Panel bytes_panel(const Tensors& lab);
Panel axes_panel(const Tensors& lab);

}  // namespace warpwalk::story
