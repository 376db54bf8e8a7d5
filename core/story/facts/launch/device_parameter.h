#pragma once

#include <string>
#include <string_view>

#include "core/gpu/device/device.h"
#include "core/story/elements/figure.h"
#include "core/story/elements/narration.h"

namespace warpwalk::story {

/// The origin of a parameter's value: measured, derived if it was fitted to measurements, else explained.
Origin origin_of(gpu::Status status);

/// The value of a parameter, with its source. The parameter must have a value.
Figure figure_of(const gpu::IntParameter& parameter);

/// The meaning of a parameter and the source of its value, on two lines:
///
///     64: maximum number of resident warps per SM (published)
///     CUDA C++ programming guide, technical specifications per compute capability
///
/// `name` is that of a device file. Empty if the device has no value for it.
std::string parameter_text(const Narration& narration, const gpu::Device& device, std::string_view name);

}  // namespace warpwalk::story
