#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/gpu/blocks/launch_shape.h"
#include "core/gpu/device/device.h"
#include "core/story/elements/figure.h"
#include "core/story/elements/narration.h"
#include "core/story/pictures/tone.h"

namespace warpwalk::story {

/// One part of a launch beside its limit.
struct LaunchLimit {
  std::string_view part;  ///< "grid_x" ... "block_z", "block_threads", "shared", "optin"
  std::int64_t asked = 0;
  Figure most;          ///< with the source of the limit
  bool opt_in = false;  ///< the kernel can opt in to more, up to the limit of "optin"

  bool in_bytes() const { return most.unit() == Unit::bytes; }

  bool over() const { return asked > static_cast<std::int64_t>(most.value()); }
  /// Whether the launch fails because of this part.
  bool fails() const { return over() && !opt_in; }
  /// "fits", "needs_optin" or "refused".
  std::string_view verdict() const { return fails() ? "refused" : over() ? "needs_optin" : "fits"; }
  Tone tone() const { return fails() ? Tone::refused : over() ? Tone::shared : Tone::work; }
};

/// The limits that the driver checks before a launch. The limits of grid and block are the same on every GPU (CUDA C++
/// Programming Guide); the others are parameters of the device, and are left out if it is null. `shared`: bytes of
/// shared memory per block.
std::vector<LaunchLimit> launch_limits(const Narration& narration, const gpu::LaunchShape& shape, std::int64_t shared,
                                       const gpu::Device* device);

/// The first limit that the launch exceeds; null if it runs.
const LaunchLimit* broken_limit(const std::vector<LaunchLimit>& limits);

}  // namespace warpwalk::story
