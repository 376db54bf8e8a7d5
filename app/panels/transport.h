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
  start,
  open,
  present,
  help
};

struct TransportAnswer {
  TransportChoice choice = TransportChoice::none;
  int beat = 0;  ///< the beat that was chosen, if `choice` is beat
};

/// The bar with play, back and next, the beats of the scene as dots, and the tools: speed, reduced motion, theme,
/// names, sheets, presenting, help. `hint` is a line of text between the two, e.g. the progress of a film.
TransportAnswer transport(draw::Ui& ui, const draw::Box& box, const story::Stage& stage, const TransportState& state,
                          std::string_view hint);

}  // namespace warpwalk::panels
