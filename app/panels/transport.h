#pragma once

#include <string>

#include "app/draw/ui.h"
#include "core/story/stage/stage.h"

namespace warpwalk::panels {

struct TransportState {
  bool playing = false;
  bool reduced_motion = false;
  double speed = 1;
};

enum class TransportChoice : unsigned char {
  none,
  back,
  play,
  next,
  beat,
  slower,
  faster,
  motion,
  theme,
  names,
  run,
  observe,
  open,
  present,
  help
};

struct TransportAnswer {
  TransportChoice choice = TransportChoice::none;
  int beat = 0;  ///< of `beat`
};

/// Play, step back, step; the beats of the scene as dots; speed, reduced motion, theme, presenting, help. `note` is
/// what the program has to say, at the right.
TransportAnswer transport(draw::Ui& ui, const draw::Box& box, const story::Stage& stage, const TransportState& state,
                          std::string_view note);

}  // namespace warpwalk::panels
