#include "core/compiled/evaluate/reductions.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <system_error>
#include <utility>

namespace warpwalk::compiled {
namespace {

/// The sizes around the axis of a reduction or scan. False if they or the values are not known.
bool read_axis(const MlirOp& op, const std::vector<SharedValue>& values, std::array<std::size_t, 3>& sizes) {
  const auto axis = mlir_attribute(op, "axis");
  if (values.empty() || !axis) return false;
  std::size_t number = 0;
  if (std::from_chars(axis->data(), axis->data() + axis->size(), number).ec != std::errc()) return false;
  const std::vector<std::int64_t>& shape = values.front()->shape;
  if (number >= shape.size()) return false;
  sizes = {1, static_cast<std::size_t>(shape[number]), 1};
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (i != number) sizes[i < number ? 0 : 2] *= static_cast<std::size_t>(shape[i]);
  return std::ranges::all_of(values, [&](const SharedValue& value) {
    return value->known && value->allocation < 0 && value->size() == sizes[0] * sizes[1] * sizes[2];
  });
}

/// Whether combining gave known values of the same kind and size.
bool are_alike(const std::vector<SharedValue>& values, const std::vector<SharedValue>& others) {
  return std::ranges::equal(values, others, [](const SharedValue& a, const SharedValue& b) {
    return a->known && a->floating == b->floating && a->size() == b->size();
  });
}

}  // namespace

SharedValue elements_along(const TensorValue& from, const std::array<std::size_t, 3>& sizes, std::size_t first,
                           std::size_t step) {
  TensorValue part;
  part.known = true;
  part.floating = from.floating;
  for (std::size_t outer = 0; outer < sizes[0]; ++outer)
    for (std::size_t i = first; i < sizes[1]; i += step)
      for (std::size_t inner = 0; inner < sizes[2]; ++inner) {
        const std::size_t at = (outer * sizes[1] + i) * sizes[2] + inner;
        if (from.floating)
          part.reals.push_back(from.reals[at]);
        else
          part.numbers.push_back(from.numbers[at]);
        if (!from.undefined.empty()) part.undefined.push_back(from.undefined[at]);
      }
  return std::make_shared<const TensorValue>(std::move(part));
}

SharedValue with_type(const SharedValue& value, std::string_view type) {
  TensorValue shaped = *value;
  const auto parts = mlir_shaped(type);
  shaped.shape = parts ? parts->shape : std::vector<std::int64_t>{};
  std::size_t elements = 1;
  for (const std::int64_t size : shaped.shape)
    elements = size <= 0 || elements > value->size() ? 0 : elements * static_cast<std::size_t>(size);
  if (!shaped.known || shaped.size() != elements) return std::make_shared<const TensorValue>();
  return std::make_shared<const TensorValue>(std::move(shaped));
}

std::vector<SharedValue> reduced_values(const MlirOp& op, std::vector<SharedValue> values, const Combine& combine) {
  std::array<std::size_t, 3> sizes{};
  if (!read_axis(op, values, sizes) || (sizes[1] & (sizes[1] - 1)) != 0) return {};
  for (; sizes[1] > 1; sizes[1] /= 2) {
    std::vector<SharedValue> even, odd;
    for (const SharedValue& value : values) {
      even.push_back(elements_along(*value, sizes, 0, 2));
      odd.push_back(elements_along(*value, sizes, 1, 2));
    }
    values = combine(even, odd);
    if (!are_alike(values, even)) return {};
  }
  for (std::size_t i = 0; i < values.size() && i < op.results.size(); ++i)
    values[i] = with_type(values[i], op.results[i].type);
  return values;
}

std::vector<SharedValue> scanned_values(const MlirOp& op, const std::vector<SharedValue>& values,
                                        const Combine& combine) {
  std::array<std::size_t, 3> sizes{};
  if (!read_axis(op, values, sizes)) return {};
  const auto backwards = mlir_attribute(op, "reverse");
  const bool reverse = backwards && backwards->starts_with("true");
  std::vector<TensorValue> made;
  for (const SharedValue& value : values) {
    TensorValue& to = made.emplace_back(*value);
    if (to.undefined.empty()) to.undefined.assign(to.size(), 0);
  }
  std::vector<SharedValue> sum;
  for (std::size_t step = 0; step < sizes[1]; ++step) {
    const std::size_t at = reverse ? sizes[1] - 1 - step : step;
    std::vector<SharedValue> row;
    for (const SharedValue& value : values) row.push_back(elements_along(*value, sizes, at, sizes[1]));
    sum = step == 0 ? row : combine(sum, row);
    if (!are_alike(sum, row)) return {};
    for (std::size_t i = 0; i < made.size(); ++i)
      for (std::size_t outer = 0; outer < sizes[0]; ++outer)
        for (std::size_t inner = 0; inner < sizes[2]; ++inner) {
          const std::size_t from = outer * sizes[2] + inner, to = (outer * sizes[1] + at) * sizes[2] + inner;
          if (made[i].floating)
            made[i].reals[to] = sum[i]->reals[from];
          else
            made[i].numbers[to] = sum[i]->numbers[from];
          made[i].undefined[to] = sum[i]->is_undefined(from) ? 1 : 0;
        }
  }
  std::vector<SharedValue> results;
  for (TensorValue& value : made) {
    if (std::ranges::none_of(value.undefined, [](std::uint8_t one) { return one != 0; })) value.undefined.clear();
    results.push_back(std::make_shared<const TensorValue>(std::move(value)));
  }
  return results;
}

}  // namespace warpwalk::compiled
