#include "app/pages/keymap.h"

#include <algorithm>

namespace warpwalk::pages {
namespace {

draw::KeyPress key(draw::Key k) { return {k, 0, false, false}; }
draw::KeyPress letter(char32_t c, bool control = false) { return {draw::Key::character, c, control, false}; }

// The name of a key that is not a character, in [key] of the narration.
std::string_view name_of(draw::Key key) {
  switch (key) {
    case draw::Key::left: return "left";
    case draw::Key::right: return "right";
    case draw::Key::up: return "up";
    case draw::Key::down: return "down";
    case draw::Key::home: return "home";
    case draw::Key::end: return "end";
    case draw::Key::page_up: return "page_up";
    case draw::Key::page_down: return "page_down";
    case draw::Key::space: return "space";
    case draw::Key::enter: return "enter";
    case draw::Key::escape: return "escape";
    case draw::Key::tab: return "tab";
    case draw::Key::backspace: return "backspace";
    case draw::Key::del: return "delete";
    case draw::Key::f11: return "f11";
    case draw::Key::none:
    case draw::Key::character: break;
  }
  return "";
}

}  // namespace

const std::vector<Shortcut>& shortcuts() {
  using draw::Key;
  static const std::vector<Shortcut> list = {
      {Action::next, key(Key::right), "next"},
      {Action::next, key(Key::page_down), "next.clicker"},
      {Action::back, key(Key::left), "back"},
      {Action::back, key(Key::page_up), "back.clicker"},
      {Action::next_scene, key(Key::down), "next_scene"},
      {Action::previous_scene, key(Key::up), "previous_scene"},
      {Action::restart, key(Key::home), "restart"},
      {Action::last, key(Key::end), "last"},
      {Action::play, key(Key::space), "play"},
      {Action::faster, letter('+'), "faster"},
      {Action::slower, letter('-'), "slower"},
      {Action::search, letter('/'), "search"},
      {Action::search, letter('f', true), "search"},
      {Action::longest_kernel, letter('k'), "longest_kernel"},
      {Action::recorded, letter('R'), "recorded"},
      {Action::idle, letter('y'), "idle"},
      {Action::what_if, letter('Y'), "what_if"},
      {Action::timeline, letter('t', true), "timeline"},
      {Action::kernels, letter('K'), "kernels"},
      {Action::modules, letter('M'), "modules"},
      {Action::zoom_in, letter('w'), "zoom_in"},
      {Action::zoom_out, letter('s'), "zoom_out"},
      {Action::pan_left, letter('a'), "pan_left"},
      {Action::pan_right, letter('d'), "pan_right"},
      {Action::fit, letter('f'), "fit"},
      {Action::scrub_back, letter(','), "scrub_back"},
      {Action::scrub_on, letter('.'), "scrub_on"},
      {Action::stop_back, letter('['), "stop_back"},
      {Action::stop_on, letter(']'), "stop_on"},
      {Action::who_wrote, letter('B'), "who_wrote"},
      {Action::asked_before, key(Key::backspace), "asked_before"},
      {Action::present, letter('p'), "present"},
      {Action::full_screen, key(Key::f11), "full_screen"},
      {Action::blank, letter('b'), "blank"},
      {Action::swap_screens, letter('S'), "swap_screens"},
      {Action::pen, letter('P'), "pen"},
      {Action::pointer, letter('L'), "pointer"},
      {Action::wipe, letter('E'), "wipe"},
      {Action::larger_type, letter('+', true), "larger_type"},
      {Action::larger_type, letter('=', true), "larger_type"},
      {Action::smaller_type, letter('-', true), "smaller_type"},
      {Action::notes, letter('n'), "notes"},
      {Action::clock_zero, letter('z'), "clock_zero"},
      {Action::glossary, letter('g'), "glossary"},
      {Action::names, letter('h'), "names"},
      {Action::deeper, letter('D'), "deeper"},
      {Action::questions, letter('q'), "questions"},
      {Action::reset_controls, letter('r'), "reset_controls"},
      {Action::theme, letter('t'), "theme"},
      {Action::reduced_motion, letter('m'), "reduced_motion"},
      {Action::copy_link, letter('l'), "copy_link"},
      {Action::save_picture, letter('c'), "save_picture"},
      {Action::save_svg, letter('C'), "save_svg"},
      {Action::film, letter('v'), "film"},
      {Action::walk, letter('W'), "walk"},
      {Action::ranks, letter('G'), "ranks"},
      {Action::lab, letter('e'), "lab"},
      {Action::all_panels, letter('A'), "all_panels"},
      {Action::start, letter('i'), "start"},
      {Action::files, letter('o'), "files"},
      {Action::files, letter('o', true), "files"},
      {Action::compare, letter('O'), "compare"},
      {Action::run, letter('x'), "run"},
      {Action::kernel_lab, letter('j'), "kernel_lab"},
      {Action::exercises, letter('J'), "exercises"},
      {Action::counts, letter('H'), "counts"},
      {Action::hand_in, letter('h', true), "hand_in"},
      {Action::add_moment, letter('d', true), "add_moment"},
      {Action::compose, letter('l', true), "compose"},
      {Action::observe, letter('u'), "observe"},
      {Action::save_walk, letter('s', true), "save_walk"},
      {Action::help, letter('?'), "help"},
      {Action::close, key(Key::escape), "close"},
  };
  return list;
}

Action action_of(const draw::KeyPress& press) {
  for (const Shortcut& shortcut : shortcuts()) {
    const draw::KeyPress& wanted = shortcut.press;
    // Shift is ignored for signs: '?' and '+' need it on some keyboards and not on others.
    if (wanted.key == press.key && wanted.character == press.character && wanted.control == press.control)
      return shortcut.action;
  }
  // With Caps Lock on, letters are capitals.
  if (press.key == draw::Key::character && press.character >= U'A' && press.character <= U'Z' && !press.control)
    return action_of({press.key, press.character + (U'a' - U'A'), false, press.shift});
  return Action::none;
}

const std::vector<KeyGroup>& key_groups() {
  static const std::vector<KeyGroup> groups = {
      {"move",
       {{{Action::next}, "next"},
        {{Action::back}, "back"},
        {{Action::next_scene, Action::previous_scene}, "scenes"},
        {{Action::restart, Action::last}, "ends"},
        {{Action::play}, "play"},
        {{Action::faster, Action::slower}, "speed"},
        {{Action::reduced_motion}, "reduced_motion"},
        {{Action::close}, "close"}}},
      {"look",
       {{{Action::deeper}, "deeper"},
        {{Action::glossary}, "glossary"},
        {{Action::names}, "names"},
        {{Action::scrub_back, Action::scrub_on}, "scrub"},
        {{Action::stop_back, Action::stop_on}, "stops"},
        {{Action::who_wrote}, "who_wrote"},
        {{Action::asked_before}, "asked_before"}}},
      {"try",
       {{{Action::lab}, "lab"},
        {{Action::run}, "run"},
        {{Action::kernel_lab}, "kernel_lab"},
        {{Action::exercises}, "exercises"},
        {{}, "answer"},
        {{Action::questions}, "questions"},
        {{Action::hand_in}, "hand_in"},
        {{Action::reset_controls}, "reset_controls"}}},
      {"teach",
       {{{Action::present}, "present"},
        {{Action::full_screen}, "full_screen"},
        {{Action::blank}, "blank"},
        {{Action::notes}, "notes"},
        {{Action::clock_zero}, "clock_zero"},
        {{Action::swap_screens}, "swap_screens"},
        {{Action::pen, Action::pointer, Action::wipe}, "pen"},
        {{Action::larger_type, Action::smaller_type}, "type"},
        {{Action::counts}, "counts"},
        {{Action::add_moment}, "add_moment"},
        {{Action::compose}, "compose"}}},
      {"trace",
       {{{Action::walk}, "walk"},
        {{Action::search}, "search"},
        {{Action::longest_kernel}, "longest_kernel"},
        {{Action::recorded}, "recorded"},
        {{Action::idle}, "idle"},
        {{Action::what_if}, "what_if"},
        {{Action::kernels}, "kernels"},
        {{Action::modules}, "modules"},
        {{Action::timeline}, "timeline"},
        {{Action::zoom_in, Action::zoom_out}, "zoom"},
        {{Action::pan_left, Action::pan_right}, "pan"},
        {{Action::fit}, "fit"},
        {{Action::compare}, "compare"},
        {{Action::ranks}, "ranks"},
        {{Action::observe}, "observe"}}},
      {"view",
       {{{Action::start}, "start"},
        {{Action::files}, "files"},
        {{Action::all_panels}, "all_panels"},
        {{Action::theme}, "theme"},
        {{Action::save_walk}, "save_walk"},
        {{Action::save_picture, Action::save_svg}, "pictures"},
        {{Action::film}, "film"},
        {{Action::copy_link}, "copy_link"},
        {{}, "bookmarks"},
        {{}, "focus"},
        {{Action::help}, "help"}}},
  };
  return groups;
}

std::string keys_of(const KeyLine& line, const story::Narration& words) {
  if (line.actions.empty()) return words.text("key", line.what);
  std::string keys;
  for (const Action action : line.actions)
    for (const Shortcut& shortcut : shortcuts())
      if (shortcut.action == action) keys.append(keys.empty() ? "" : "  ").append(key_label(shortcut, words));
  return keys;
}

std::string key_label(const Shortcut& shortcut, const story::Narration& words) {
  const draw::KeyPress& press = shortcut.press;
  if (press.key != draw::Key::character) return words.text("key", name_of(press.key));
  const char c = static_cast<char>(press.character);
  const bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
  const std::string label(1, lower ? static_cast<char>(c - 'a' + 'A') : c);
  if (press.control) return words.text("key", "with_control", {{"key", label}});
  return upper ? words.text("key", "with_shift", {{"key", label}}) : label;
}

std::string key_of(Action action, const story::Narration& words) {
  const auto at = std::ranges::find(shortcuts(), action, &Shortcut::action);
  return at == shortcuts().end() ? std::string() : key_label(*at, words);
}

}  // namespace warpwalk::pages
