#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/stage/stage.h"

namespace warpwalk::scenes {

/// What the person did on a picture.
struct Touch {
  /// Controls to set ("sm.registers", value) or, without a value, to give back to the trace.
  std::vector<std::pair<std::string, std::optional<double>>> set;
  story::SliceId follow = story::no_slice;  ///< an op or a piece of GPU work that was chosen
  std::optional<std::int64_t> time;         ///< a moment of the trace to see in the boardroom, ns since its start

  void add(const Touch& other) {
    set.insert(set.end(), other.set.begin(), other.set.end());
    if (other.follow != story::no_slice) follow = other.follow;
    if (other.time) time = other.time;
  }
};

}  // namespace warpwalk::scenes
