#pragma once

#include <string_view>
#include <vector>

#include "app/draw/input.h"

namespace warpwalk::shell {

/// What a key can make happen, wherever the focus is.
enum class Action : unsigned char {
  none,
  next,
  back,
  next_scene,
  previous_scene,
  play,
  restart,
  last,
  search,
  help,
  present,
  blank,
  theme,
  reduced_motion,
  faster,
  slower,
  fit,
  pan_left,
  pan_right,
  scrub_back,
  scrub_on,
  zoom_in,
  zoom_out,
  copy_link,
  save_picture,
  save_svg,
  film,
  names,
  notes,
  glossary,
  files,
  run,
  observe,
  save_walk,
  reset_controls,
  longest_kernel,
  close,
};

struct Shortcut {
  Action action;
  draw::KeyPress press;
  std::string_view keys;  ///< as written on the sheet: "Ctrl+F"
  std::string_view what;  ///< as written on the sheet
};

/// All shortcuts in the order of the sheet; an action can have several.
const std::vector<Shortcut>& shortcuts();
Action action_of(const draw::KeyPress& press);

}  // namespace warpwalk::shell
