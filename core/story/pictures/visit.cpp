#include "core/story/pictures/visit.h"

#include <iterator>

#include <fmt/format.h>

namespace warpwalk::story {

void ContentVisitor::append(const Figure& figure) {
  append(figure.text());
  append(trace::name_of(figure.origin()));
  append(figure.formula());
}

// Exact: two moments of a motion differ by little.
void ContentVisitor::append(double number) { fmt::format_to(std::back_inserter(text_), "{} ", number); }

std::string text_with_origin(const Figure& figure) {
  const std::string_view origin = trace::name_of(figure.origin());
  return figure.formula().empty() ? fmt::format("{} [{}]", figure.text(), origin)
                                  : fmt::format("{} [{}: {}]", figure.text(), origin, figure.formula());
}

}  // namespace warpwalk::story
