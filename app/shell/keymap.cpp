#include "app/shell/keymap.h"

namespace warpwalk::shell {
namespace {

draw::KeyPress key(draw::Key k, bool control = false, bool shift = false) { return {k, 0, control, shift}; }
draw::KeyPress letter(char32_t c, bool control = false) { return {draw::Key::character, c, control, false}; }

}  // namespace

const std::vector<Shortcut>& shortcuts() {
  static const std::vector<Shortcut> list = {
      {Action::next, key(draw::Key::right), "Right", "next beat"},
      {Action::next, key(draw::Key::page_down), "Page Down", "next beat (clickers)"},
      {Action::back, key(draw::Key::left), "Left", "one beat back"},
      {Action::back, key(draw::Key::page_up), "Page Up", "one beat back (clickers)"},
      {Action::next_scene, key(draw::Key::down), "Down", "next scene"},
      {Action::previous_scene, key(draw::Key::up), "Up", "scene before"},
      {Action::restart, key(draw::Key::home), "Home", "first beat"},
      {Action::last, key(draw::Key::end), "End", "last beat"},
      {Action::play, key(draw::Key::space), "Space", "play, pause"},
      {Action::faster, letter('+'), "+", "play faster"},
      {Action::slower, letter('-'), "-", "play slower"},
      {Action::search, letter('/'), "/", "search ops and kernels"},
      {Action::search, letter('f', true), "Ctrl+F", "search ops and kernels"},
      {Action::longest_kernel, letter('k'), "K", "follow the kernel that took longest"},
      {Action::zoom_in, letter('w'), "W", "zoom into the time strip"},
      {Action::zoom_out, letter('s'), "S", "zoom out"},
      {Action::pan_left, letter('a'), "A", "pan left"},
      {Action::pan_right, letter('d'), "D", "pan right"},
      {Action::fit, letter('f'), "F", "show the whole trace"},
      {Action::scrub_back, letter(','), ",", "moment a little earlier"},
      {Action::scrub_on, letter('.'), ".", "moment a little later"},
      {Action::present, letter('p'), "P", "present: stage and sentence only"},
      {Action::blank, letter('b'), "B", "blank screen while presenting"},
      {Action::notes, letter('n'), "N", "speaker notes"},
      {Action::glossary, letter('g'), "G", "the words on this stage, explained"},
      {Action::names, letter('h'), "H", "names: both, hardware's, company's"},
      {Action::reset_controls, letter('r'), "R", "what was set goes back to the trace"},
      {Action::theme, letter('t'), "T", "dark, light, high contrast"},
      {Action::reduced_motion, letter('m'), "M", "reduced motion: beats jump"},
      {Action::copy_link, letter('l'), "L", "copy the command that opens this view"},
      {Action::save_picture, letter('c'), "C", "save this picture as PNG"},
      {Action::save_svg, letter('C'), "Shift+C", "save this picture as SVG"},
      {Action::film, letter('v'), "V", "film this scene"},
      {Action::files, letter('o'), "O", "open: recent files, recorded walks, lessons"},
      {Action::files, letter('o', true), "Ctrl+O", "the same"},
      {Action::run, letter('x'), "X", "run an expression"},
      {Action::observe, letter('u'), "U", "what the GPU does now"},
      {Action::save_walk, letter('s', true), "Ctrl+S", "save the walk of an expression"},
      {Action::none, {}, "Ctrl+1…9", "bookmark: set, or come back (Shift: anew)"},
      {Action::none, {}, "Tab, Enter", "go through everything, choose"},
      {Action::help, letter('?'), "?", "this sheet"},
      {Action::close, key(draw::Key::escape), "Esc", "close what is open"},
  };
  return list;
}

Action action_of(const draw::KeyPress& press) {
  for (const Shortcut& shortcut : shortcuts()) {
    const draw::KeyPress& wanted = shortcut.press;
    if (shortcut.action == Action::none) continue;
    // A sign's own shift key does not count: '?' and '+' need it on some keyboards and not on others.
    if (wanted.key == press.key && wanted.character == press.character && wanted.control == press.control)
      return shortcut.action;
  }
  // With Caps Lock on, letters are capitals.
  if (press.key == draw::Key::character && press.character >= U'A' && press.character <= U'Z' && !press.control)
    return action_of({press.key, press.character + (U'a' - U'A'), false, press.shift});
  return Action::none;
}

}  // namespace warpwalk::shell
