#include "core/story/elements/figure.h"

#include <cmath>
#include <utility>

namespace warpwalk::story {
Figure::Figure(double value, Unit unit, Origin origin, std::string words, std::string formula)
    : value_(value), unit_(unit), origin_(origin), words_(std::move(words)), formula_(std::move(formula)) {}

Figure Figure::recorded(double value, Unit unit, Origin origin) { return {value, unit, origin, {}, {}}; }
Figure Figure::recorded(std::string text, Origin origin) { return {0, Unit::name, origin, std::move(text), {}}; }
Figure Figure::derived(double value, Unit unit, std::string formula) {
  return {value, unit, Origin::derived, {}, std::move(formula)};
}
Figure Figure::derived(std::string text, std::string formula) {
  return {0, Unit::name, Origin::derived, std::move(text), std::move(formula)};
}
Figure Figure::constant(double value, Unit unit, Origin origin, std::string source) {
  Figure figure(value, unit, origin, {}, std::move(source));
  figure.constant_ = true;
  return figure;
}
Figure Figure::explained(std::string text) { return {0, Unit::name, Origin::explained, std::move(text), {}}; }

std::string Figure::text() const {
  switch (unit_) {
    case Unit::nanoseconds: return time_text(value_);
    case Unit::bytes: return bytes_text(value_);
    case Unit::count: return with_thousands(static_cast<std::int64_t>(std::llround(value_)));
    case Unit::percent:
      return value_ > 0 && value_ < 0.05 ? base::with_marks("< 0.1 %") : base::decimal_text(value_, 1) + " %";
    case Unit::gigabytes_per_second: return base::decimal_text(value_, 1) + " GB/s";
    case Unit::name: break;
  }
  return words_;
}

}  // namespace warpwalk::story
