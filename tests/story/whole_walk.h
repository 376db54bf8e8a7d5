#pragma once

#include <functional>
#include <string>

#include "core/story/stage/scene.h"
#include "tests/story/crafted/crafted.h"

namespace warpwalk::story::testing {

/// A walk of assets/walks with its kernel simulated, also without latency hiding. Throws std::runtime_error.
Crafted open_recorded(const std::string& name, const std::string& file);

/// The walk that warpwalk opens with, its kernel simulated, also without latency hiding.
const Crafted& opening_walk();

/// Visits every beat of the eight scenes of the opening walk, at rest.
void for_each_scene_beat(const Crafted& walk, const std::function<void(const Scene&, const Stage&)>& visit);

}  // namespace warpwalk::story::testing
