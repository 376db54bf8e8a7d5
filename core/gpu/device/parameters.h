#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// The member of Device that a parameter's name stands for.
using Field = std::variant<Whole Device::*, Real Device::*, Word Device::*, List Device::*, Lists Device::*>;

/// What is the same for a parameter on every device. Its meaning, in words, is in assets/narration (parameters.txt).
struct ParameterInfo {
  std::string_view name;  ///< in device files
  std::string_view unit;  ///< in device files; empty for a plain word
  Field field;
  bool required;   ///< a description without it cannot be loaded
  double minimum;  ///< the smallest value allowed, also of each number in a list
};

/// All parameters there are, in the order in which a screen shows them.
std::span<const ParameterInfo> parameter_infos();
/// None where no parameter has this name.
const ParameterInfo* find_parameter(std::string_view name);

/// One parameter of one device, ready to show.
struct ParameterRow {
  const ParameterInfo* info = nullptr;
  std::string value;  ///< "132", "4.8e+12", "0, 8192, 16384", "0 1; 2 3"
  Status status = Status::assumed;
  std::string_view source;  ///< of the device, which must outlive the row
};

/// Every parameter that the device has a value for, in the order of parameter_infos().
std::vector<ParameterRow> parameter_rows(const Device& device);

}  // namespace warpwalk::gpu
