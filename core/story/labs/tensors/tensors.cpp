// The settings of the lab "tensors": the chain of steps with their effects, and what a warp reads.
#include "core/story/labs/tensors/tensors.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "core/analysis/memory/tensor_layout.h"
#include "core/gpu/device/device.h"
#include "core/gpu/timing/coalescer.h"
#include "core/story/labs/warp/lane_pattern.h"

namespace warpwalk::story {
namespace {

constexpr std::array<std::string_view, 11> step_keys = {
    "none", "row", "rows", "column", "every_other", "transpose", "permute", "expand", "reshape", "view", "contiguous"};
const std::vector<ops::Sizes> tensor_sizes = {{4, 6}, {2, 3, 4}, {24}};

ViewStep step_of(ChosenStep chosen, const ops::Geometry& g) {
  const auto dims = static_cast<std::int64_t>(g.dims());
  switch (chosen) {
    case ChosenStep::row: return {ViewStep::Kind::select, {0, 1}};
    case ChosenStep::rows: return {ViewStep::Kind::slice, {0}, 1};
    case ChosenStep::column: return {ViewStep::Kind::select, {-1, 1}};
    case ChosenStep::every_other: return {ViewStep::Kind::slice, {-1}, {}, {}, 2};
    case ChosenStep::transpose: return {ViewStep::Kind::transpose, {-2, -1}};
    case ChosenStep::permute: {
      ops::Sizes order = {-1};
      for (std::int64_t dim = 0; dim + 1 < dims; ++dim) order.push_back(dim);
      return {ViewStep::Kind::permute, order};
    }
    case ChosenStep::expand: {
      ops::Sizes sizes = {2};
      sizes.insert(sizes.end(), g.sizes.begin(), g.sizes.end());
      return {ViewStep::Kind::expand, sizes};
    }
    case ChosenStep::reshape: return {ViewStep::Kind::reshape, {-1}};
    case ChosenStep::view: return {ViewStep::Kind::view, {-1}};
    case ChosenStep::none:
    case ChosenStep::contiguous: break;
  }
  return {ViewStep::Kind::contiguous};
}

}  // namespace

WarpRead::WarpRead(std::int64_t at_stride, std::int64_t element_bytes) : stride(at_stride), bytes(element_bytes) {
  gpu::LoggedAccess logged;
  logged.bytes = static_cast<std::uint8_t>(bytes);
  logged.mask = 0xffffffff;
  logged.at = global_pattern({.stride = stride, .bytes = static_cast<int>(bytes)}).at;
  const gpu::CoalescedAccess access = gpu::coalesce(logged);
  sectors = access.sectors();
  lines = access.count;
}

double WarpRead::efficiency() const { return 100.0 * static_cast<double>(bytes) / static_cast<double>(sectors); }

double WarpRead::moved_times() const {
  // A sector of 32 bytes for each of 32 elements is a byte per element.
  return static_cast<double>(sectors + bytes) / static_cast<double>(2 * bytes);
}

Tensors::Tensors(const SceneInput& in, const TensorsStart& start) : input(in) {
  std::vector<std::string> shapes;
  for (const ops::Sizes& sizes : tensor_sizes) shapes.push_back(analysis::sizes_text(sizes));
  first = counting_tensor(tensor_sizes[controls.choice("tensor", shapes, 0, "example")]);
  take_steps(start);
  places = places_of(geometry());
  const std::int64_t end = std::max<std::int64_t>(std::ssize(places) - 1, 0);
  element = controls.pointed("element", end, std::min<std::int64_t>(9, end));
  stride = controls.slider("stride", {read_strides.begin(), read_strides.end()}, 8, "example");
  device = controls.choice("device", {devices.begin(), devices.end()}, 1, "example");
  layout = static_cast<MatrixLayout>(controls.choice("layout", {word("strided"), word("coo"), word("csr")},
                                                     static_cast<std::size_t>(start.layout), "example"));
  std::vector<std::string> types;
  for (const ElementType& one : element_types) types.emplace_back(one.name);
  type = controls.choice("dtype", types, 1, "example");
  matrix = scattered_matrix(
      controls.slider("nonzeros", steps_by(0, static_cast<double>(SparseMatrix::count), 1), 5, "example"));
  entry = controls.pointed("entry", SparseMatrix::count - 1, 10);
}

void Tensors::take_steps(const TensorsStart& start) {
  std::vector<std::string> words;
  for (const std::string_view key : step_keys) words.push_back(word(key));
  StoredTensor tensor = first;
  for (std::size_t i = 0; i < TensorsStart::steps; ++i) {
    const auto chosen = static_cast<ChosenStep>(
        controls.choice(fmt::format("step{}", i + 1), words, static_cast<std::size_t>(start.usual[i]), "example"));
    if (i >= start.taken || chosen == ChosenStep::none || has(StepEffect::refused)) continue;
    const ViewStep step = step_of(chosen, tensor.geometry);
    const ops::Geometry before = tensor.geometry;
    const StepEffect effect = apply_step(step, tensor);
    chain.push_back({step_text(step), effect, why(step, effect, before), tensor});
  }
}

std::string Tensors::why(const ViewStep& step, StepEffect effect, const ops::Geometry& before) const {
  using Kind = ViewStep::Kind;
  const bool reshapes = step.kind == Kind::reshape || step.kind == Kind::view;
  const auto split = split_dims(before);
  if (reshapes && effect == StepEffect::view) return word("why_joined");
  if (reshapes && split)
    return word("why_split", {{"dim", fmt::to_string(split->dim)},
                              {"next", fmt::to_string(split->inner)},
                              {"stride", fmt::to_string(split->stride)},
                              {"expected", fmt::to_string(split->expected)}});
  if (effect == StepEffect::refused) return word("why_refused");
  if (effect == StepEffect::same) return word("why_same");
  if (effect == StepEffect::copy)
    return word("why_scattered", {{"strides", analysis::strides_text(before.strides)},
                                  {"row_major", analysis::strides_text(ops::row_major(before.sizes))}});
  return word(step.kind == Kind::expand ? "why_expand" : "why_view");
}

std::string Tensors::code(std::size_t dropped) const {
  std::string text = "a";
  for (std::size_t i = 0; i + dropped < chain.size(); ++i) text += chain[i].code;
  return text;
}

bool Tensors::has(StepEffect effect) const {
  return std::ranges::any_of(chain, [&](const TakenStep& step) { return step.effect == effect; });
}

std::string Tensors::index_text(std::int64_t number) const {
  return fmt::format("[{}]", fmt::join(index_of(geometry(), number), ", "));
}

std::string Tensors::place_text(std::int64_t number) const {
  const ops::Geometry& g = geometry();
  const std::vector<std::int64_t> index = index_of(g, number);
  std::string text = fmt::to_string(g.offset);
  for (std::size_t dim = 0; dim < g.dims(); ++dim) text += fmt::format(" + {} × {}", index[dim], g.strides[dim]);
  return fmt::format("{} = {}", text, places[static_cast<std::size_t>(number)]);
}

std::string Tensors::read_text(std::int64_t of_stride) const {
  if (of_stride == 1) return "a";
  return of_stride == row_length ? "a.t()" : fmt::format("a[:, ::{}]", of_stride);
}

}  // namespace warpwalk::story
