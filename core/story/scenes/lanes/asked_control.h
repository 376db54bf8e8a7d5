#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwalk::story {

struct SceneInput;

/// What the control `lanes.asked` asks about: "who wrote this?". `lanes.asked_lane` is the lane.
struct AskedAbout {
  static constexpr int nothing = 0;
  static constexpr int result = 1;          ///< what the instruction writes, else what it reads
  static constexpr int memory = 2;          ///< the bytes that the lane accesses
  static constexpr int buffer = 3;          ///< a buffer after the launch: asked_buffer, asked_byte, asked_bytes
  static constexpr int first_register = 4;  ///< R0, and so on
  static constexpr int last = first_register + 255;
};

/// The beat about the followed number as it grows.
inline constexpr std::string_view sum_beat_key = "sum";

/// An instruction and the lane whose value is asked about: its cycle, SM and warp slot.
struct AskedPlace {
  std::int64_t cycle = 0;
  std::uint16_t sm = 0, slot = 0;
  int lane = 0;
};
/// In the beat about the followed number: the instruction that adds the product that is shown, or the last one before
/// it whose cycle is known; if its sums are not known, the one that stores the number. Nullopt without such a cycle.
std::optional<AskedPlace> asked_place_of_sum(const SceneInput& input);

}  // namespace warpwalk::story
