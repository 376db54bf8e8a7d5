#include <cstdlib>
#include <string>

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "app/window/window.h"

namespace warpwalk::window {
namespace {

std::string reason() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words == nullptr ? "GLFW gives no reason" : words;
}

std::string display_name() {
  for (const char* variable : {"WAYLAND_DISPLAY", "DISPLAY"})
    if (const char* const value = std::getenv(variable); value != nullptr && *value != '\0')
      return fmt::format("{}={}", variable, value);
  return "DISPLAY is not set";
}

std::string text_of(unsigned name) {
  const auto* const text = reinterpret_cast<const char*>(glGetString(name));
  return text == nullptr ? "?" : text;
}

}  // namespace

platform::ProbeResult probe_display() {
  if (glfwInit() == GLFW_FALSE) return {false, fmt::format("{} ({})", reason(), display_name())};
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  GLFWwindow* const window = glfwCreateWindow(320, 200, "warpwalk", nullptr, nullptr);
  if (window == nullptr) return {false, fmt::format("no OpenGL 3.2: {} ({})", reason(), display_name())};
  glfwMakeContextCurrent(window);
  return {true, fmt::format("OpenGL {}, {} ({})", text_of(GL_VERSION), text_of(GL_RENDERER), display_name())};
}

}  // namespace warpwalk::window
