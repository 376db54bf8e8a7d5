#include "app/window/desktop/window_events.h"

#include <GLFW/glfw3.h>

namespace warpwalk::window {
namespace {

using draw::Key;

Key key_of(int key) {
  switch (key) {
    case GLFW_KEY_LEFT: return Key::left;
    case GLFW_KEY_RIGHT: return Key::right;
    case GLFW_KEY_UP: return Key::up;
    case GLFW_KEY_DOWN: return Key::down;
    case GLFW_KEY_HOME: return Key::home;
    case GLFW_KEY_END: return Key::end;
    case GLFW_KEY_PAGE_UP: return Key::page_up;
    case GLFW_KEY_PAGE_DOWN: return Key::page_down;
    case GLFW_KEY_SPACE: return Key::space;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: return Key::enter;
    case GLFW_KEY_ESCAPE: return Key::escape;
    case GLFW_KEY_TAB: return Key::tab;
    case GLFW_KEY_BACKSPACE: return Key::backspace;
    case GLFW_KEY_DELETE: return Key::del;
    case GLFW_KEY_F11: return Key::f11;
    default: return Key::none;
  }
}

}  // namespace

void WindowEvents::listen(GLFWwindow* window) {
  glfwSetWindowUserPointer(window, this);
  glfwSetKeyCallback(
      window, [](GLFWwindow* w, int key, int code, int action, int mods) { of(w).on_key(w, key, code, action, mods); });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code) { of(w).on_character(code); });
  glfwSetMouseButtonCallback(window,
                             [](GLFWwindow* w, int button, int action, int) { of(w).on_button(button, action); });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double dy) {
    of(w).input_.wheel += static_cast<float>(dy);
    of(w).touched_ = true;
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    for (int i = 0; i < count; ++i) of(w).input_.dropped.emplace_back(paths[i]);
    of(w).touched_ = true;
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { of(w).touched_ = true; });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).touched_ = true; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).touched_ = true; });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { of(w).touched_ = true; });
}

void WindowEvents::clear() {
  input_.keys.clear();
  input_.dropped.clear();
  input_.wheel = 0;
  input_.mouse_pressed = input_.mouse_released = false;
  touched_ = false;
}

WindowEvents& WindowEvents::of(GLFWwindow* window) {
  return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
}

void WindowEvents::on_key(GLFWwindow* window, int key, int code, int action, int mods) {
  touched_ = true;
  if (action == GLFW_RELEASE) return;
  draw::KeyPress press;
  press.control = (mods & GLFW_MOD_CONTROL) != 0;
  press.shift = (mods & GLFW_MOD_SHIFT) != 0;
  press.key = key_of(key);
  if (press.key == Key::none && press.control) {  // GLFW sends no character for these
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) press.character = static_cast<char32_t>('a' + key - GLFW_KEY_A);
    // GLFW's key names are those of a US keyboard: use the letter of the current layout.
    const char* const name = glfwGetKeyName(key, code);
    if (name != nullptr && name[0] >= 'a' && name[0] <= 'z' && name[1] == '\0')
      press.character = static_cast<char32_t>(name[0]);
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) press.character = static_cast<char32_t>('0' + key - GLFW_KEY_0);
    if (key == GLFW_KEY_KP_ADD) press.character = '+';
    if (key == GLFW_KEY_KP_SUBTRACT) press.character = '-';
    if (name != nullptr && (name[0] == '+' || name[0] == '=' || name[0] == '-') && name[1] == '\0')
      press.character = static_cast<char32_t>(name[0]);
    if (press.character != 0) press.key = Key::character;
    if (press.character == 'v')
      if (const char* const text = glfwGetClipboardString(window)) press.pasted = text;
  }
  if (press.key != Key::none) input_.keys.push_back(press);
}

void WindowEvents::on_character(unsigned code) {
  touched_ = true;
  if (code == ' ') return;  // it was sent as a key
  draw::KeyPress press;
  press.key = Key::character;
  press.character = code;
  input_.keys.push_back(press);
}

void WindowEvents::on_button(int button, int action) {
  touched_ = true;
  if (button != GLFW_MOUSE_BUTTON_LEFT) return;
  (action == GLFW_PRESS ? input_.mouse_pressed : input_.mouse_released) = true;
}

}  // namespace warpwalk::window
