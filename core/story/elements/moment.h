#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::story {

/// A moment of a scene. The whole stage follows from it, so an earlier moment goes back.
struct Moment {
  enum class Kind : std::uint8_t {
    beat,   ///< `value` counts from 1; `phase` is the progress of its motion, 0 to 1
    named,  ///< the beat whose key is `name`; resolved_moment() (scene_list.h) finds its number
    time,   ///< `value` is ns since the start of the trace
    cycle,  ///< `value` is a cycle of the kernel
  };
  Kind kind = Kind::beat;
  std::int64_t value = 1;
  double phase = 1;
  std::string name = {};
  /// Whether it is a beat with its motion.
  bool is_beat() const { return kind == Kind::beat || kind == Kind::named; }
  friend bool operator==(const Moment&, const Moment&) = default;
};

/// Parses "b3", "launch" (a beat's key), "12.5us" (also ns, ms, s) or "c1500". On failure: one line that tells what to
/// write.
base::Result<Moment> parse_moment(std::string_view text);
/// The inverse.
std::string text_of(const Moment& moment);

/// Easing of motions: slow at both ends, 0 to 1.
double eased(double phase);
/// The progress of a part of a motion between two phases, from 0 to 1.
double part(double phase, double from, double to);

}  // namespace warpwalk::story
