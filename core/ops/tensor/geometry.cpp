#include "core/ops/tensor/geometry.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"

namespace warpwalk::ops {
namespace {

/// Sizes and slices come from people: a product that no 64 bits hold is an error, not a wrapped number.
std::int64_t multiplied(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    throw OpError(fmt::format("{} times {} elements are too many for any memory", a, b));
  return product;
}

/// A dimension to look at; a geometry without dimensions has one for this purpose (PyTorch's wrap_scalar).
std::size_t wrapped_or_scalar(std::int64_t dim, std::size_t dims) {
  return wrapped_dim(dim, std::max<std::size_t>(dims, 1));
}

template <class Element>
std::vector<Element> without(const std::vector<Element>& list, std::size_t index) {
  std::vector<Element> rest = list;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(index));
  return rest;
}

}  // namespace

std::int64_t Geometry::count() const { return count_of(sizes); }

bool Geometry::contiguous() const {
  if (count() == 0) return true;
  std::int64_t expected = 1;
  for (std::size_t d = dims(); d-- > 0;) {
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

std::int64_t Geometry::last() const {
  std::int64_t last = offset;
  for (std::size_t d = 0; d < dims(); ++d) {
    if (sizes[d] == 0) return offset - 1;
    if (__builtin_add_overflow(last, multiplied(sizes[d] - 1, strides[d]), &last))
      throw OpError(fmt::format("a view of {} is too large for any memory", shape_text(sizes)));
  }
  return last;
}

bool Geometry::overlaps_itself() const {
  if (count() == 0) return false;
  for (std::size_t d = 0; d < dims(); ++d)
    if (sizes[d] > 1 && strides[d] == 0) return true;
  return false;
}

Sizes row_major(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (std::size_t d = sizes.size(); d-- > 1;)
    strides[d - 1] = multiplied(strides[d], std::max<std::int64_t>(sizes[d], 1));
  return strides;
}

Geometry contiguous_geometry(Sizes sizes) {
  if (std::ranges::any_of(sizes, [](std::int64_t size) { return size < 0; }))
    throw OpError(fmt::format("a tensor of {}: sizes must be 0 or more", shape_text(sizes)));
  Sizes strides = row_major(sizes);
  return {std::move(sizes), std::move(strides), 0};
}

std::int64_t count_of(const Sizes& sizes) {
  if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count = multiplied(count, size);
  return count;
}

std::string shape_text(const Sizes& sizes) {
  return sizes.empty() ? "scalar" : fmt::format("{}", fmt::join(sizes, "x"));
}

std::size_t wrapped_dim(std::int64_t dim, std::size_t dims) {
  const auto signed_dims = static_cast<std::int64_t>(dims);
  if (dims == 0) throw OpError(fmt::format("dimension {} of a tensor without dimensions", dim));
  if (dim < -signed_dims || dim >= signed_dims)
    throw OpError(fmt::format("dimension {} is out of range: a tensor of rank {} has dimensions {} to {}", dim, dims,
                              -signed_dims, signed_dims - 1));
  return static_cast<std::size_t>(dim < 0 ? dim + signed_dims : dim);
}

Geometry transposed(const Geometry& g, std::int64_t dim0, std::int64_t dim1) {
  const std::size_t first = wrapped_or_scalar(dim0, g.dims());
  const std::size_t second = wrapped_or_scalar(dim1, g.dims());
  Geometry result = g;
  if (g.dims() == 0) return result;
  std::swap(result.sizes[first], result.sizes[second]);
  std::swap(result.strides[first], result.strides[second]);
  return result;
}

Geometry permuted(const Geometry& g, const Sizes& order) {
  if (order.size() != g.dims())
    throw OpError(fmt::format("permute of {} with {} dimensions: it needs all {}, each once", shape_text(g.sizes),
                              order.size(), g.dims()));
  Geometry result = g;
  std::vector<bool> seen(g.dims());
  for (std::size_t d = 0; d < order.size(); ++d) {
    const std::size_t from = wrapped_dim(order[d], g.dims());
    if (seen[from]) throw OpError(fmt::format("permute names dimension {} twice: name each dimension once", from));
    seen[from] = true;
    result.sizes[d] = g.sizes[from];
    result.strides[d] = g.strides[from];
  }
  return result;
}

Geometry sliced(const Geometry& g, std::int64_t dim, std::optional<std::int64_t> start,
                std::optional<std::int64_t> stop, std::int64_t step) {
  if (g.dims() == 0) throw OpError("a tensor without dimensions cannot be sliced");
  const std::size_t d = wrapped_dim(dim, g.dims());
  if (step <= 0) throw OpError(fmt::format("a slice with step {}: the step must be 1 or more", step));
  const std::int64_t size = g.sizes[d];
  const auto clamped = [&](std::int64_t index, std::int64_t least) {
    return std::clamp(index < 0 ? index + size : index, least, size);
  };
  const std::int64_t from = clamped(start.value_or(0), 0);
  const std::int64_t to = clamped(stop.value_or(size), from);
  Geometry result = g;
  result.offset += from * g.strides[d];
  result.sizes[d] = to == from ? 0 : (to - from - 1) / step + 1;
  result.strides[d] = multiplied(g.strides[d], step);
  return result;
}

Geometry selected(const Geometry& g, std::int64_t dim, std::int64_t index) {
  if (g.dims() == 0) throw OpError(fmt::format("index {} of a tensor without dimensions", index));
  const std::size_t d = wrapped_dim(dim, g.dims());
  const std::int64_t size = g.sizes[d];
  if (index < -size || index >= size)
    throw OpError(fmt::format("index {} is out of range: dimension {} has {} elements", index, d, size));
  return {without(g.sizes, d), without(g.strides, d), g.offset + (index < 0 ? index + size : index) * g.strides[d]};
}

Geometry expanded(const Geometry& g, const Sizes& sizes) {
  const auto refuse = [&](std::string_view why) {
    throw OpError(fmt::format("expand of {} to {}: {}", shape_text(g.sizes), shape_text(sizes), why));
  };
  if (sizes.size() < g.dims()) refuse(fmt::format("it needs at least {} sizes", g.dims()));
  const std::size_t added = sizes.size() - g.dims();
  Geometry result{sizes, Sizes(sizes.size(), 0), g.offset};
  for (std::size_t d = sizes.size(); d-- > 0;) {
    // The stride of a new dimension of size 1 does not matter. PyTorch's value is used, so that printed strides match.
    const bool is_new = d < added;
    const std::int64_t own_size = is_new ? 1 : g.sizes[d - added];
    if (is_new && sizes[d] == -1) refuse("-1 keeps a size, but a new dimension has none to keep");
    if (sizes[d] < -1) refuse("a size must be 0 or more, or -1");
    const std::int64_t wanted = sizes[d] == -1 ? own_size : sizes[d];
    if (wanted != own_size && own_size != 1)
      refuse(
          fmt::format("dimension {} has size {} and cannot become {} (only size 1 can)", d - added, own_size, wanted));
    result.sizes[d] = wanted;
    if (wanted != own_size || (is_new && g.dims() == 0)) continue;
    result.strides[d] = is_new ? multiplied(result.sizes[d + 1], result.strides[d + 1]) : g.strides[d - added];
  }
  return result;
}

Geometry squeezed(const Geometry& g, std::int64_t dim) {
  const std::size_t d = wrapped_or_scalar(dim, g.dims());
  if (g.dims() == 0 || g.sizes[d] != 1) return g;
  return {without(g.sizes, d), without(g.strides, d), g.offset};
}

Geometry unsqueezed(const Geometry& g, std::int64_t dim) {
  const std::size_t d = wrapped_dim(dim, g.dims() + 1);
  Geometry result = g;
  const auto at = static_cast<std::ptrdiff_t>(d);
  result.strides.insert(result.strides.begin() + at, d < g.dims() ? multiplied(g.sizes[d], g.strides[d]) : 1);
  result.sizes.insert(result.sizes.begin() + at, 1);
  return result;
}

Sizes inferred_sizes(const Sizes& sizes, std::int64_t count) {
  const auto refuse = [&](std::string_view why) {
    throw OpError(fmt::format("{} elements as [{}]: {}", count, fmt::join(sizes, ", "), why));
  };
  std::optional<std::size_t> open;
  Sizes result = sizes;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] < -1) refuse("a size must be 0 or more, or -1 for the rest");
    if (sizes[d] != -1) continue;
    if (open) refuse("only one size can be -1");
    open = d;
    result[d] = 1;
  }
  const std::int64_t known = count_of(result);
  if (open) {
    if (known == 0) refuse("-1 is ambiguous if another size is 0");
    if (count % known != 0) refuse(fmt::format("{} is not a multiple of {}", count, known));
    result[*open] = count / known;
  } else if (known != count) {
    refuse(fmt::format("these sizes have {} elements", known));
  }
  return result;
}

std::optional<Geometry> viewed(const Geometry& g, const Sizes& sizes) {
  const Sizes wanted = inferred_sizes(sizes, g.count());
  if (g.count() == 0) return Geometry{wanted, wanted == g.sizes ? g.strides : row_major(wanted), g.offset};
  if (g.dims() == 0) return Geometry{wanted, Sizes(wanted.size(), 1), g.offset};

  // Old dimensions that follow one another in memory make a run, last dimension first. A dimension of size 1 joins
  // whatever it stands before.
  struct Run {
    std::int64_t count, stride;
  };
  std::vector<Run> runs{{g.sizes.back(), g.strides.back()}};
  for (std::size_t d = g.dims() - 1; d-- > 0;) {
    Run& run = runs.back();
    if (g.sizes[d] == 1 || g.strides[d] == run.count * run.stride)
      run.count *= g.sizes[d];
    else
      runs.push_back({g.sizes[d], g.strides[d]});
  }
  // Each new dimension must lie within one run.
  Geometry result{wanted, Sizes(wanted.size()), g.offset};
  std::size_t d = wanted.size();
  for (const Run& run : runs) {
    std::int64_t taken = 1;
    while (d > 0 && (taken < run.count || wanted[d - 1] == 1)) {
      --d;
      result.strides[d] = taken * run.stride;
      taken *= wanted[d];
    }
    if (taken != run.count) return {};
  }
  return result;
}

Sizes broadcast(const Sizes& a, const Sizes& b) {
  Sizes result(std::max(a.size(), b.size()));
  const auto from_end = [](const Sizes& sizes, std::size_t i) {
    return i < sizes.size() ? sizes[sizes.size() - 1 - i] : 1;
  };
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t in_a = from_end(a, i), in_b = from_end(b, i);
    if (in_a != in_b && in_a != 1 && in_b != 1)
      throw OpError(fmt::format(
          "{} and {} cannot be broadcast: dimension -{} is {} and {}; the sizes must be equal, or one must be 1",
          shape_text(a), shape_text(b), i + 1, in_a, in_b));
    result[result.size() - 1 - i] = in_a == 1 ? in_b : in_a;
  }
  return result;
}

}  // namespace warpwalk::ops
