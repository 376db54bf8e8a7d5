#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "core/compiled/evaluate/operation_result.h"

namespace warpwalk::compiled {

/// Combines tensors of the same size element by element, as the region of tt.reduce or tt.scan does.
using Combine =
    std::function<std::vector<SharedValue>(const std::vector<SharedValue>& a, const std::vector<SharedValue>& b)>;

/// The results of tt.reduce. Neighbours are combined first, so that the order of the elements is kept; the machine's
/// order may differ. Empty if they are not known.
std::vector<SharedValue> reduced_values(const MlirOp& op, std::vector<SharedValue> values, const Combine& combine);
/// The results of tt.scan, combined one after another. Empty if they are not known.
std::vector<SharedValue> scanned_values(const MlirOp& op, const std::vector<SharedValue>& values,
                                        const Combine& combine);

/// The elements at every `step`th index along an axis from `first` on. `sizes`: elements of the dimensions before the
/// axis, of the axis, and of those behind it.
SharedValue elements_along(const TensorValue& from, const std::array<std::size_t, 3>& sizes, std::size_t first,
                           std::size_t step);
/// A value with the shape of a type; not known if it has another number of elements.
SharedValue with_type(const SharedValue& value, std::string_view type);

}  // namespace warpwalk::compiled
