#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/cards.h"
#include "core/story/pictures/rank_target.h"
#include "core/story/stage/stage.h"

namespace warpwalk::pictures {

/// The user's actions on a picture.
struct Touch {
  /// Controls to set, e.g. ("sm.registers", value). Without a value, the control is reset to the trace's value.
  std::vector<std::pair<std::string, std::optional<double>>> set;
  std::vector<std::pair<std::string, std::string>> texts;  ///< text controls to set
  story::SliceId follow = story::no_slice;                 ///< the op or GPU slice that the user chose
  std::optional<std::int64_t> time;  ///< the moment to show in the boardroom, ns since the trace's start

  std::optional<std::int64_t> cycle;      ///< the cycle of the kernel to show, in the same scene
  std::optional<story::CardLink> go;      ///< where a card leads
  std::optional<story::RankTarget> rank;  ///< what to follow in the trace of a rank

  void add(const Touch& other) {
    set.insert(set.end(), other.set.begin(), other.set.end());
    texts.insert(texts.end(), other.texts.begin(), other.texts.end());
    if (other.follow != story::no_slice) follow = other.follow;
    if (other.time) time = other.time;
    if (other.cycle) cycle = other.cycle;
    if (other.go) go = other.go;
    if (other.rank) rank = other.rank;
  }
};

}  // namespace warpwalk::pictures
