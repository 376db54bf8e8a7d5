#pragma once

#include <cstdint>
#include <string>

#include "core/base/quantity_text.h"
#include "core/trace/origin.h"

namespace warpwalk::story {

using base::bytes_text;
using base::share_text;
using base::shared_bytes_text;
using base::time_text;
using base::with_marks;
using base::with_thousands;
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

}  // namespace warpwalk::story
