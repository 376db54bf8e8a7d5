#pragma once

#include <functional>

#include "core/story/stage/scene.h"
#include "tests/story/crafted/crafted.h"

namespace warpwalk::story::testing {

/// The walk that warpwalk opens with, its kernel simulated, also without latency hiding.
const Crafted& opening_walk();

/// Visits every beat of the eight scenes of the opening walk, at rest.
void for_each_scene_beat(const Crafted& walk, const std::function<void(const Scene&, const Stage&)>& visit);

}  // namespace warpwalk::story::testing
