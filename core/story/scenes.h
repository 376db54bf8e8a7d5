#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// In the order of the storyboard.
const std::vector<Scene>& scenes();
const Scene* find_scene(std::string_view name);

/// Whether the stage at this moment depends on SceneInput::history, which takes seconds to build.
bool uses_history(const Scene& scene, const Trace& trace, const Walk& walk, const Moment& moment);

/// The stage of a scene at a moment. On failure (the scene has no such beat or moment), returns a one-line message that
/// names the valid ones.
std::pair<Stage, std::optional<std::string>> stage_at(const Scene& scene, const SceneInput& input);

}  // namespace warpwalk::story
