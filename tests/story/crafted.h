#pragma once

#include <string>
#include <vector>

#include "core/story/walk.h"

namespace warpwalk::story::testing {

/// A small trace made to bring about particular sentences.
struct Crafted {
  std::string name;
  trace::Trace trace;
  Walk walk;
  std::vector<std::string> sections;  ///< of the narration, in the order of the beats: boardroom's, then the map's
};

/// Together they reach every sentence there is.
const std::vector<Crafted>& crafted();

}  // namespace warpwalk::story::testing
