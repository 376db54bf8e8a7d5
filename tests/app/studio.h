#pragma once

#include <functional>
#include <string_view>

#include "app/draw/canvas.h"
#include "app/draw/offscreen.h"
#include "core/story/stage/scene.h"
#include "core/trace/trace.h"

namespace warpwalk::testing {

/// A recorded walk of assets/walks by its name without ".json.gz". Read once.
const trace::Trace& sample(std::string_view name);

/// The English narration of the assets.
const story::Narration& english();
/// The device descriptions of the assets.
const records::Hardware& hardware();

/// A beat of a recorded walk, following its default op.
story::Stage stage_of(std::string_view walk, std::string_view scene, int beat, double phase = 1);

/// Draws pictures of one scale; fonts are loaded once per scale and number of threads.
draw::Offscreen& studio(float scale, int threads = 2);

/// A whole frame, as `render` draws it.
draw::Image frame(const story::Stage& stage, int width, int height, const draw::Theme& theme, int threads = 2);

/// Runs `use` with a canvas of this size in units.
void with_canvas(float scale, float width, float height, const std::function<void(draw::Canvas&)>& use);

}  // namespace warpwalk::testing
