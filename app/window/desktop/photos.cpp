#include "app/window/desktop/photos.h"

#include <GLFW/glfw3.h>

#include "app/draw/imgui_compat.h"

namespace warpwalk::window {
namespace {

// Of OpenGL 1.2, which the header of OpenGL 1.1 lacks.
constexpr GLint clamp_to_edge = 0x812f;

unsigned uploaded(const story::Pixels& pixels) {
  GLuint name = 0;
  GLint before = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) glTexParameteri(GL_TEXTURE_2D, wrap, clamp_to_edge);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, pixels.width, pixels.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               pixels.values.data());
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
  return name;
}

}  // namespace

void Photos::prepare(ImDrawData& data) {
  for (auto& [key, texture] : textures_) texture.drawn = false;
  for (int l = 0; l < data.CmdListsCount; ++l) {
    for (ImDrawCmd& command : data.CmdLists[l]->CmdBuffer) {
      const story::Pixels* const pixels = command.UserCallback == nullptr ? draw::photo_of(command) : nullptr;
      if (pixels == nullptr) continue;
      Texture& texture = textures_[pixels->key];
      if (texture.name == 0) texture.name = uploaded(*pixels);
      texture.drawn = true;
      draw::set_texture(command, texture.name);
    }
  }
  std::erase_if(textures_, [](const auto& one) {
    if (!one.second.drawn) glDeleteTextures(1, &one.second.name);
    return !one.second.drawn;
  });
}

void Photos::clear() {
  for (const auto& [key, texture] : textures_) glDeleteTextures(1, &texture.name);
  textures_.clear();
}

}  // namespace warpwalk::window
