#pragma once

#include <optional>

#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// The least work that the followed kernel has to do, from the shapes of its op. A missing figure is not known.
struct LaunchWork {
  std::optional<double> fp32_operations;  ///< of a float32 matrix product: 2 × m × n × k; a multiply-add counts as two
  std::optional<double> bytes;            ///< inputs read once and the result written once
};

/// Nothing is known if the op launched other GPU work too, since its work is then shared.
LaunchWork launch_work(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
