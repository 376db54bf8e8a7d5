#include "core/story/facts/simulated/operand_places.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::story {
namespace {

bool is_loaded(const gpu::Origin& origin, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(origin.inputs, address, {}, &gpu::OriginInput::address);
  return after != origin.inputs.begin() && address - std::prev(after)->address < std::prev(after)->bytes;
}

// Where the buffer begins of which all `count` elements from `first` on, `distance` apart, were loaded.
std::optional<std::uint64_t> begin_of_buffer(const run::NumberTrail& trail, std::uint64_t element, std::int64_t count,
                                             std::int64_t first, std::int64_t distance) {
  for (std::size_t i = 0; i < trail.inputs.size(); ++i) {
    if (trail.inputs[i].buffer == run::NumberTrail::no_buffer) continue;
    const std::uint64_t begin = trail.origin.inputs[i].address - trail.inputs[i].offset;
    bool all = true;
    for (std::int64_t k = 0; k < count && all; ++k)
      all = is_loaded(trail.origin, begin + static_cast<std::uint64_t>(first + k * distance) * element);
    if (all) return begin;
  }
  return {};
}

}  // namespace

OperandPlaces::OperandPlaces(const FollowedNumber& number, const run::NumberTrail& trail)
    : at_(number.at), element_(static_cast<std::uint64_t>(number.result.element)) {
  if (!number.product) return;
  const MatrixProduct& product = *number.product;
  const std::uint64_t offset = static_cast<std::uint64_t>(at_.row * product.n + at_.column) * element_;
  matrices_ = {Matrix{'a', begin_of_buffer(trail, element_, product.k, at_.row * product.k, 1), product.m, product.k},
               Matrix{'b', begin_of_buffer(trail, element_, product.k, at_.column, product.n), product.k, product.n},
               Matrix{'c', trail.address - offset, product.m, product.n}};
}

std::optional<std::uint64_t> OperandPlaces::factor(std::size_t operand, std::int64_t k) const {
  const Matrix& matrix = matrices_.at(operand);
  if (!matrix.begin) return {};
  const std::int64_t index = operand == 0 ? at_.row * matrix.columns + k : k * matrix.columns + at_.column;
  return *matrix.begin + static_cast<std::uint64_t>(index) * element_;
}

std::optional<OperandPlaces::Element> OperandPlaces::element_at(std::uint64_t address) const {
  for (const Matrix& matrix : matrices_) {
    if (!matrix.begin || address < *matrix.begin) continue;
    const auto index = static_cast<std::int64_t>((address - *matrix.begin) / element_);
    if (index < matrix.rows * matrix.columns)
      return Element{matrix.name, index / matrix.columns, index % matrix.columns};
  }
  return {};
}

std::string OperandPlaces::Element::name() const { return fmt::format("{}[{}, {}]", matrix, row, column); }

}  // namespace warpwalk::story
