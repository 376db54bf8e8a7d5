#pragma once

#include <cstdint>
#include <string>

#include "core/trace/origin.h"

namespace warpwalk::story {

using trace::Origin;

enum class Unit : std::uint8_t { nanoseconds, bytes, count, percent, gigabytes_per_second, name };

/// A value with its origin. It can neither be made nor shown without the origin: this is the only type of figure on a
/// stage.
class Figure {
 public:
  /// A recorded value; `origin` says if it is from real hardware or from the GPU model.
  static Figure recorded(double value, Unit unit, Origin origin);
  /// A recorded name or shape, for example "8 x 16 x 1".
  static Figure recorded(std::string text, Origin origin);
  /// Arithmetic on other figures; `formula` describes it so that a person can check it.
  static Figure derived(double value, Unit unit, std::string formula);
  static Figure derived(std::string text, std::string formula);
  /// A constant of the hardware, with the document, measurement or reasoning that it is from.
  static Figure constant(double value, Unit unit, Origin origin, std::string source);
  /// A concept in words, without a number.
  static Figure explained(std::string text);

  double value() const { return value_; }
  Unit unit() const { return unit_; }
  Origin origin() const { return origin_; }
  /// How it was computed; the source of a constant; empty for anything else.
  const std::string& formula() const { return formula_; }
  bool is_constant() const { return constant_; }
  /// With unit and separated thousands: "1,593.9 µs".
  std::string text() const;

 private:
  Figure(double value, Unit unit, Origin origin, std::string words, std::string formula);

  double value_;
  Unit unit_;
  Origin origin_;
  std::string words_;
  std::string formula_;
  bool constant_ = false;
};

/// 1234567 -> "1,234,567".
std::string with_thousands(std::int64_t value);
/// Nanoseconds as ns, µs (to 10,000 µs, so that the parts of one op share a unit), ms or s.
std::string time_text(double nanoseconds);
/// Bytes of shared memory: "19,840 B", or a whole number of KiB, the unit of its limits: "64 KiB".
std::string shared_bytes_text(std::int64_t bytes);
/// Bytes as B, kB, MB, GB (powers of 1000, as PyTorch's summaries and data sheets count).
std::string bytes_text(double bytes);

}  // namespace warpwalk::story
