#include "core/story/pictures/bars.h"

#include <fmt/format.h>

#include "core/story/elements/figure.h"

namespace warpwalk::story {
namespace {

std::string range_text(double start, double end) { return fmt::format("{} to {}", time_text(start), time_text(end)); }

}  // namespace

std::string TimelinePicture::axis_text() const { return untimed ? scale_note : range_text(from, to); }

std::string TimelinePicture::span_text(const Bar& bar) const {
  return untimed ? std::string() : range_text(static_cast<double>(bar.start), static_cast<double>(bar.end));
}

}  // namespace warpwalk::story
