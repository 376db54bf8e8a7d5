#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// Pointer to the Device member of a parameter.
using Field = std::variant<IntParameter Device::*, RealParameter Device::*, TextParameter Device::*,
                           ListParameter Device::*, NestedListParameter Device::*>;

/// The properties of a parameter that are the same for every device. Its meaning, in words, is in assets/narration
/// (parameters.txt).
struct ParameterInfo {
  std::string_view name;  ///< in device files
  std::string_view unit;  ///< in device files; empty if the value is text
  Field field;
  bool required;   ///< a description without it is rejected
  double minimum;  ///< smallest allowed value, also for each number in a list
};

/// All parameters in display order.
std::span<const ParameterInfo> parameter_infos();
/// Returns null if no parameter has this name.
const ParameterInfo* find_parameter(std::string_view name);

/// One parameter of one device as display text.
struct ParameterRow {
  const ParameterInfo* info = nullptr;
  std::string value;  ///< "132", "4.8e+12", "0, 8192, 16384", "0 1; 2 3"
  Status status = Status::assumed;
  std::string_view source;  ///< points into the device, which must outlive the row
};

/// Every parameter that the device has a value for, in the order of parameter_infos().
std::vector<ParameterRow> parameter_rows(const Device& device);

}  // namespace warpwalk::gpu
