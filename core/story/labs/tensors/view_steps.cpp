#include "core/story/labs/tensors/view_steps.h"

#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ops/tensor/error.h"

namespace warpwalk::story {
namespace {

// The geometry after the step; none if the elements have to be copied first.
std::optional<ops::Geometry> stepped(const ViewStep& step, const ops::Geometry& g) {
  const ops::Sizes& n = step.numbers;
  switch (step.kind) {
    case ViewStep::Kind::slice: return ops::sliced(g, n.at(0), step.start, step.stop, step.by);
    case ViewStep::Kind::select: return ops::selected(g, n.at(0), n.at(1));
    case ViewStep::Kind::transpose: return ops::transposed(g, n.at(0), n.at(1));
    case ViewStep::Kind::permute: return ops::permuted(g, n);
    case ViewStep::Kind::expand: return ops::expanded(g, n);
    case ViewStep::Kind::unsqueeze: return ops::unsqueezed(g, n.at(0));
    case ViewStep::Kind::view:
    case ViewStep::Kind::reshape: return ops::viewed(g, n);
    case ViewStep::Kind::contiguous: break;
  }
  return g.contiguous() ? std::optional(g) : std::nullopt;
}

// "[:, 1:]", "[..., 1:]": dimensions from the front have a colon for each one before, those from the back one for each
// after.
std::string index_text(std::int64_t dim, std::string_view index) {
  std::string text = dim < 0 ? "[..., " : "[";
  for (std::int64_t i = 0; i < dim; ++i) text += ":, ";
  text += index;
  for (std::int64_t i = dim; i < -1; ++i) text += ", :";
  return text + "]";
}

std::string bound_text(const std::optional<std::int64_t>& bound) { return bound ? fmt::to_string(*bound) : ""; }

}  // namespace

StoredTensor counting_tensor(ops::Sizes sizes) {
  StoredTensor tensor{ops::contiguous_geometry(std::move(sizes)), {}};
  tensor.storage.resize(static_cast<std::size_t>(tensor.geometry.count()));
  std::iota(tensor.storage.begin(), tensor.storage.end(), 0);
  return tensor;
}

std::vector<std::int64_t> index_of(const ops::Geometry& geometry, std::int64_t number) {
  std::vector<std::int64_t> index(geometry.dims());
  for (std::size_t dim = geometry.dims(); dim-- > 0; number /= geometry.sizes[dim])
    index[dim] = number % geometry.sizes[dim];
  return index;
}

std::vector<std::int64_t> places_of(const ops::Geometry& geometry) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < geometry.count(); ++i) {
    const std::vector<std::int64_t> index = index_of(geometry, i);
    all.push_back(std::inner_product(index.begin(), index.end(), geometry.strides.begin(), geometry.offset));
  }
  return all;
}

std::optional<SplitDims> split_dims(const ops::Geometry& geometry) {
  if (geometry.count() == 0) return {};
  std::optional<std::size_t> inner;
  for (std::size_t dim = geometry.dims(); dim-- > 0;) {
    if (geometry.sizes[dim] == 1) continue;
    if (inner) {
      const std::int64_t expected = geometry.sizes[*inner] * geometry.strides[*inner];
      if (geometry.strides[dim] != expected) return SplitDims{dim, *inner, geometry.strides[dim], expected};
    }
    inner = dim;
  }
  return {};
}

StepEffect apply_step(const ViewStep& step, StoredTensor& tensor) {
  std::optional<ops::Geometry> next;
  try {
    next = stepped(step, tensor.geometry);
    if (!next && step.kind == ViewStep::Kind::view) return StepEffect::refused;
    if (next) {
      const bool same = step.kind == ViewStep::Kind::contiguous;
      tensor.geometry = *std::move(next);
      return same ? StepEffect::same : StepEffect::view;
    }
    ops::Geometry copied = ops::contiguous_geometry(step.kind == ViewStep::Kind::reshape
                                                        ? ops::inferred_sizes(step.numbers, tensor.geometry.count())
                                                        : tensor.geometry.sizes);
    std::vector<std::int64_t> storage;
    for (const std::int64_t at : places_of(tensor.geometry))
      storage.push_back(tensor.storage[static_cast<std::size_t>(at)]);
    tensor = {std::move(copied), std::move(storage)};
    return StepEffect::copy;
  } catch (const ops::OpError&) {
    return StepEffect::refused;
  }
}

std::string step_text(const ViewStep& step) {
  const std::string numbers = fmt::format("({})", fmt::join(step.numbers, ", "));
  switch (step.kind) {
    case ViewStep::Kind::slice:
      return index_text(step.numbers.at(0), fmt::format("{}:{}{}", bound_text(step.start), bound_text(step.stop),
                                                        step.by == 1 ? "" : fmt::format(":{}", step.by)));
    case ViewStep::Kind::select: return index_text(step.numbers.at(0), fmt::to_string(step.numbers.at(1)));
    case ViewStep::Kind::transpose: return ".transpose" + numbers;
    case ViewStep::Kind::permute: return ".permute" + numbers;
    case ViewStep::Kind::expand: return ".expand" + numbers;
    case ViewStep::Kind::unsqueeze: return ".unsqueeze" + numbers;
    case ViewStep::Kind::view: return ".view" + numbers;
    case ViewStep::Kind::reshape: return ".reshape" + numbers;
    case ViewStep::Kind::contiguous: break;
  }
  return ".contiguous()";
}

}  // namespace warpwalk::story
