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
  what_if,
  timeline,
  kernels,
  modules,
  help,
  present,
  full_screen,
  clock_zero,
  blank,
  swap_screens,
  pen,
  pointer,
  wipe,
  larger_type,
  smaller_type,
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
  counts,
  hand_in,
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
  all_panels,
  close,
  who_wrote,
  asked_before,
};

struct Shortcut {
  Action action;
  draw::KeyPress press;   ///< the key
  std::string_view what;  ///< names the action, as cards of a stage do that stand for a key
};

/// All shortcuts; an action can have several.
const std::vector<Shortcut>& shortcuts();
Action action_of(const draw::KeyPress& press);

/// A line of the sheet of keys: actions that belong together.
struct KeyLine {
  std::vector<Action> actions;  ///< empty: keys that are handled elsewhere, named in [key] of the narration
  std::string_view what;        ///< the key of its words in [keys] of the narration
};
/// The lines under one heading.
struct KeyGroup {
  std::string_view name;  ///< the key of its heading in [key_group] of the narration
  std::vector<KeyLine> lines;
};
/// The sheet of keys, which has every action once.
const std::vector<KeyGroup>& key_groups();
/// The names of a line's keys: "W S", "Ctrl+O O".
std::string keys_of(const KeyLine& line, const story::Narration& words);

/// The name of a shortcut's key as the help sheet shows it, for example "Ctrl+F" or "Page Down".
std::string key_label(const Shortcut& shortcut, const story::Narration& words);
/// The name of the first key of an action; empty if it has none.
std::string key_of(Action action, const story::Narration& words);

}  // namespace warpwalk::pages
