#pragma once

#include "app/draw/input.h"

namespace warpwalk::window {

/// The events of the page since the last frame, in pixels of the canvas.
struct PageEvents {
  draw::Input input;
  draw::Point mouse{-1, -1};

  /// Takes the events that the page has queued.
  void take();
  /// A frame has responded to them.
  void clear();
};

}  // namespace warpwalk::window
