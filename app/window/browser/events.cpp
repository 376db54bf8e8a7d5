#include "app/window/browser/events.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

extern "C" {

/// An event of the page; page.js writes these members in this order.
struct PageEvent {
  std::int32_t kind;
  std::int32_t character;  ///< that a key types; 0: the key has a name
  std::int32_t control, shift;
  float x, y;
  char* text;  ///< of malloc(): the name of a key, the path of a dropped file; may be null
  char* pasted;
};

/// Returns 0 if there is none.
int warpwalk_event(PageEvent* event);
}

namespace warpwalk::window {
namespace {

using draw::Key;

enum Kind : std::int32_t { refresh, key, move, press, release, wheel, drop, link };

constexpr std::array<std::pair<std::string_view, Key>, 15> key_names = {{{"ArrowLeft", Key::left},
                                                                         {"ArrowRight", Key::right},
                                                                         {"ArrowUp", Key::up},
                                                                         {"ArrowDown", Key::down},
                                                                         {"Home", Key::home},
                                                                         {"End", Key::end},
                                                                         {"PageUp", Key::page_up},
                                                                         {"PageDown", Key::page_down},
                                                                         {" ", Key::space},
                                                                         {"Enter", Key::enter},
                                                                         {"Escape", Key::escape},
                                                                         {"Tab", Key::tab},
                                                                         {"Backspace", Key::backspace},
                                                                         {"Delete", Key::del},
                                                                         {"F11", Key::f11}}};

void add_key(draw::Input& input, const PageEvent& event, const std::string& name) {
  draw::KeyPress press;
  press.control = event.control != 0;
  press.shift = event.shift != 0;
  for (const auto& [known, key] : key_names)
    if (name == known) press.key = key;
  if (press.key == Key::none) {
    if (event.character == 0) return;
    press.key = Key::character;
    press.character = static_cast<char32_t>(event.character);
    if (press.control && press.character >= 'A' && press.character <= 'Z') press.character += 'a' - 'A';
    if (event.pasted != nullptr) press.pasted = event.pasted;
  }
  input.keys.push_back(std::move(press));
}

}  // namespace

void PageEvents::take() {
  PageEvent event{};
  while (warpwalk_event(&event) != 0) {
    const std::string text = event.text == nullptr ? "" : event.text;
    switch (event.kind) {
      case key: add_key(input, event, text); break;
      case move: mouse = {event.x, event.y}; break;
      case press: input.mouse_pressed = input.mouse_down = true; break;
      case release:
        input.mouse_released = true;
        input.mouse_down = false;
        break;
      case wheel: input.wheel += event.y; break;
      case drop: input.dropped.emplace_back(text); break;
      case link: input.links.push_back(text); break;
      default: break;
    }
    std::free(event.text);
    std::free(event.pasted);
    event = {};
  }
}

void PageEvents::clear() {
  input.keys.clear();
  input.dropped.clear();
  input.links.clear();
  input.wheel = 0;
  input.mouse_pressed = input.mouse_released = false;
}

}  // namespace warpwalk::window
