#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// An element-wise kernel that reads a view of a float32 matrix and writes a new one, measured with PyTorch.
struct ViewTime {
  std::string view;   ///< "columns": a[:, ::stride]; "transposed": a.t(); "kept": a.t() into a result with its strides
  double stride = 1;  ///< of the view's last dimension, in elements
  double elements = 0;  ///< of the view
  double ns = 0;
  std::optional<double> sectors;  ///< of 32 bytes, that the loads ask L1 for; none: not measured
  std::optional<double> dram;     ///< bytes read from GPU memory; none: not measured
};

/// Reads a file of assets/devices (ID_views.csv), which tests/validate/views.py writes. On failure, returns a one-line
/// message without the file's name.
base::Result<std::vector<ViewTime>> parse_view_times(std::string_view text);

/// The time of a view; null if there is none.
const ViewTime* find_view(const std::vector<ViewTime>& times, std::string_view view, double stride);

}  // namespace warpwalk::records
