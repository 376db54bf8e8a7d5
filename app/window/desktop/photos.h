#pragma once

#include <cstdint>
#include <map>

#include <imgui.h>

namespace warpwalk::window {

/// The textures of the lecturer's own pictures in one window. Its OpenGL context must be current in every call.
class Photos {
 public:
  /// Gives the commands of a frame that draw pictures their textures, which are made when a picture is first drawn.
  /// Those of pictures that are not drawn any more are deleted.
  void prepare(ImDrawData& data);
  void clear();

 private:
  struct Texture {
    unsigned name = 0;
    bool drawn = false;  // in this frame
  };
  std::map<std::uint64_t, Texture> textures_;  // by the keys of their pixels
};

}  // namespace warpwalk::window
