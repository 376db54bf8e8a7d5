#pragma once

#include <cstdint>
#include <string_view>

#include "core/story/stage/scene.h"

namespace warpwalk::story::testing {

/// A scene's stage in the middle or at the end of a beat, in English and with the delivered descriptions of GPUs; an
/// error is a test failure.
Stage stage_at_beat(const Scene& scene, const Trace& trace, const Walk& walk, std::int64_t beat, double phase = 1,
                    const Controls& controls = {});
/// The figure of the fact with this label; a missing one is a test failure.
const Figure& fact_figure(const Stage& stage, std::string_view label);

}  // namespace warpwalk::story::testing
