#pragma once

#include "core/story/labs/tensors/tensors.h"

namespace warpwalk::story {

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
