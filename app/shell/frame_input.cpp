#include "app/shell/frame_input.h"

#include <string_view>

namespace warpwalk::shell {
namespace {

using draw::Key;
using pages::Action;

// Whether the text field on the stage takes the key. Enter and Escape leave the field; Tab, the keys of a presenter and
// shortcuts with Control that edit nothing work as always.
bool types(const draw::KeyPress& press, draw::UiMemory& focus) {
  if (!focus.takes_text) return false;
  if (press.key == Key::enter || press.key == Key::escape) {
    focus.focus.clear();
    focus.takes_text = false;
    return true;
  }
  if (press.control && press.key == Key::character)
    return std::u32string_view(U"acvx").find(press.character) != std::u32string_view::npos;
  return press.key != Key::tab && press.key != Key::page_up && press.key != Key::page_down;
}

// Whether the slider or the list that has the focus takes the key.
bool moves(const draw::KeyPress& press, const draw::UiMemory& focus) {
  const bool across = press.key == Key::left || press.key == Key::right;
  const bool along =
      press.key == Key::up || press.key == Key::down || press.key == Key::page_up || press.key == Key::page_down;
  const bool ends = press.key == Key::home || press.key == Key::end;
  return (focus.takes_across && (across || ends)) || (focus.takes_along && (along || ends));
}

void take_key(const draw::KeyPress& press, Parts& parts, const Pages& pages, Actions& actions) {
  const Action action = pages::action_of(press);
  const bool digit = press.control && press.character >= U'1' && press.character <= U'9';
  FramePanels& panels = parts.panels;
  if (action == Action::full_screen) {  // also from a page and while text is typed
    actions.act(action);
  } else if (actions.choose_step(press)) {
    // the list of steps in the lecturer's window
  } else if (pages.shown() != nullptr) {
    if (press.key == Key::escape)
      actions.act(Action::close);
    else if (!pages.takes(press))
      actions.act(action);
  } else if (digit) {
    actions.bookmark(press.character - U'0', press.shift);
  } else if (panels.outline.typing) {
    panels::type(panels.outline, press, &panels.memory.copied);  // the search field takes the letters
  } else if (!types(press, panels.memory) && !moves(press, panels.memory) &&
             !parts.questions.key(press, panels.memory)) {
    // With a focus, Enter chooses what has it.
    const bool enters = press.key == Key::enter && panels.memory.focus.empty();
    if (!enters || !actions.go_to_late_rank()) actions.act(action);
  }
}

}  // namespace

void take_keys(const draw::Input& input, Parts& parts, const Pages& pages, Actions& actions) {
  for (const draw::KeyPress& press : input.keys) take_key(press, parts, pages, actions);
}

draw::Input RestingPointer::input_below(const draw::Input& input, bool covered, bool presenting) {
  draw::Input below = input;
  if (covered) {
    below.keys.clear();
    below.mouse = {-1, -1};
    below.mouse_down = below.mouse_pressed = below.mouse_released = false;
    below.wheel = 0;
  }
  const bool hand = input.mouse_pressed || input.mouse_down || input.mouse_released || input.wheel != 0;
  if (hand) parked_ = {-1, -1};
  const bool begins = presenting && !presented_;
  presented_ = presenting;
  if ((!input.keys.empty() || begins) && !hand) parked_ = input.mouse;
  if (parked_.x == input.mouse.x && parked_.y == input.mouse.y) below.mouse = {-1, -1};
  return below;
}

}  // namespace warpwalk::shell
