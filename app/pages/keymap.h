#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/draw/input.h"
#include "core/story/elements/narration.h"

namespace warpwalk::pages {

/// The actions of keys that work independent of the focus.
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
  idle,
  timeline,
  kernels,
  modules,
  help,
  present,
  full_screen,
  clock_zero,
  blank,
  theme,
  reduced_motion,
  questions,
  faster,
  slower,
  fit,
  pan_left,
  pan_right,
  scrub_back,
  scrub_on,
  stop_back,
  stop_on,
  zoom_in,
  zoom_out,
  copy_link,
  save_picture,
  save_svg,
  film,
  names,
  deeper,
  notes,
  glossary,
  start,
  files,
  compare,
  run,
  kernel_lab,
  exercises,
  compose,
  add_moment,
  observe,
  save_walk,
  reset_controls,
  longest_kernel,
  recorded,
  walk,
  ranks,
  lab,
  close,
  who_wrote,
  asked_before,
};

struct Shortcut {
  Action action;          ///< none: a row of the sheet for keys that are handled elsewhere
  draw::KeyPress press;   ///< the key
  std::string_view what;  ///< the key of its meaning in [keys] of the narration
};

/// All shortcuts in the order of the help sheet; an action can have several.
const std::vector<Shortcut>& shortcuts();
Action action_of(const draw::KeyPress& press);

/// The name of a shortcut's key as the help sheet shows it, for example "Ctrl+F" or "Page Down".
std::string key_label(const Shortcut& shortcut, const story::Narration& words);
/// The name of the first key of an action; empty if it has none.
std::string key_of(Action action, const story::Narration& words);

}  // namespace warpwalk::pages
