#pragma once

namespace warpwalk::story {

/// What the control `lanes.asked` asks about: "who wrote this?". `lanes.asked_lane` is the lane.
struct AskedAbout {
  static constexpr int nothing = 0;
  static constexpr int result = 1;          ///< what the instruction writes, else what it reads
  static constexpr int memory = 2;          ///< the bytes that the lane accesses
  static constexpr int buffer = 3;          ///< a buffer after the launch: asked_buffer, asked_byte, asked_bytes
  static constexpr int first_register = 4;  ///< R0, and so on
  static constexpr int last = first_register + 255;
};

}  // namespace warpwalk::story
