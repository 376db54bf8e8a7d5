#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warpwalk::story {

/// Where in a scene we are. Everything on a stage follows from it: an earlier moment is the way back.
struct Moment {
  enum class Kind : std::uint8_t {
    beat,   ///< `value` counts from 1; `phase` is how far its motion has gone, 0 to 1
    time,   ///< `value` is ns since the start of the trace
    cycle,  ///< `value` is a cycle of the kernel
  };
  Kind kind = Kind::beat;
  std::int64_t value = 1;
  double phase = 1;
  friend bool operator==(const Moment&, const Moment&) = default;
};

/// "b3", "12.5us" (also ns, ms, s) or "c1500". On failure: one line.
std::pair<Moment, std::optional<std::string>> parse_moment(std::string_view text);
std::string text_of(const Moment& moment);

/// Slow at both ends, 0 to 1: how motions go.
double eased(double phase);
/// The part of a motion that lies between two phases, itself from 0 to 1.
double part(double phase, double from, double to);

}  // namespace warpwalk::story
