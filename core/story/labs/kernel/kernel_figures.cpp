#include "core/story/labs/kernel/kernel_figures.h"

#include <cmath>

#include <fmt/format.h>

#include "core/story/elements/figure.h"
#include "core/story/facts/simulated/kernel_cycles.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view kernel_figure_words = "lab/kernel.figure";

std::string size_text(double size) {
  if (size >= 1000 || size == std::floor(size)) return with_thousands(std::llround(size));
  return with_marks(fmt::format("{:.{}f}", size, size >= 100 ? 1 : size >= 10 ? 2 : 3));
}

}  // namespace

std::string lab_number(double value) { return value < 0 ? "−" + size_text(-value) : size_text(value); }

std::string lab_difference(double value) { return value > 0 ? "+" + size_text(value) : lab_number(value); }

bool is_stall(std::string_view figure) { return figure.starts_with("stall_"); }

std::string lab_stall_name(const Narration& narration, const std::string& figure) {
  constexpr std::string_view prefix = "stall_";
  if (is_stall(figure)) return stall_word(narration, std::string_view(figure).substr(prefix.size()));
  return narration.has(kernel_figure_words, figure) ? narration.text(kernel_figure_words, figure) : figure;
}

std::string lab_figure_name(const Narration& narration, const std::string& figure) {
  const std::string name = lab_stall_name(narration, figure);
  return is_stall(figure) ? narration.text(kernel_figure_words, "warp_cycles", {{"reason", name}}) : name;
}

}  // namespace warpwalk::story
