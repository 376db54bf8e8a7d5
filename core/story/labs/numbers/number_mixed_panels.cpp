// The panels about mixed precision: a quantised vector, sums, and gradients with a scaled loss.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/numbers/numbers.h"

namespace warpwalk::story {
namespace {

namespace alu = gpu::alu;

std::string scale_text(const NumberLab& lab, const alu::ScaledFormat& format) {
  using Scale = alu::ScaledFormat::Scale;
  if (format.scale == Scale::none) return lab.word("no_scale");
  return lab.word(format.scale == Scale::f32    ? "scale_f32"
                  : format.scale == Scale::e8m0 ? "scale_e8m0"
                                                : "scale_e4m3",
                  {{"n", fmt::to_string(format.block)}});
}

double largest_error(const std::vector<double>& wanted, const std::vector<double>& got) {
  double most = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) most = std::max(most, std::abs(wanted[i] - got[i]));
  return most;
}

// Ticks that divide the range from `from` to `to` into equal parts.
std::vector<std::pair<double, std::string>> even_ticks(double from, double to, int parts) {
  std::vector<std::pair<double, std::string>> ticks;
  for (int i = 0; i <= parts; ++i) {
    const double at = from + (to - from) * i / parts;
    ticks.emplace_back(at, real_text(at, 3));
  }
  return ticks;
}

}  // namespace

Panel vector_panel(const NumberLab& lab) {
  const alu::ScaledVector quantised = alu::quantised(alu::scaled_formats()[lab.scaled], lab.vector);
  double most = 0;
  for (const double value : lab.vector) most = std::max(most, std::abs(value));
  most = most == 0 ? 1 : 1.1 * most;
  ScatterPicture picture;
  picture.across = {lab.word("element"), 0, static_cast<double>(number_vector_size - 1), false, {}};
  for (std::size_t i = 0; i < number_vector_size; i += 16)
    picture.across.ticks.emplace_back(static_cast<double>(i), fmt::to_string(i));
  picture.up = {lab.word("value"), -most, most, false, even_ticks(-most, most, 2)};
  picture.lines = {{{0, 0}, {static_cast<double>(number_vector_size - 1), 0}, "", false}};
  picture.groups = {{lab.word("quantised"), Tone::shared}};
  for (std::size_t i = 0; i < lab.vector.size(); ++i) {
    const std::string text = lab.word(
        "vector_point", {{"value", real_text(lab.vector[i], 6)},
                         {"kept", real_text(quantised.values[i], 6)},
                         {"scale", real_text(quantised.scales[i / static_cast<std::size_t>(quantised.block)], 4)}});
    const std::string label = lab.word("element_n", {{"n", fmt::to_string(i)}});
    const auto at = static_cast<double>(i);
    picture.points.push_back({at, quantised.values[i], 0, label, text, false});
    picture.lines.push_back({{at, quantised.values[i]}, {at, lab.vector[i]}, "", false});
  }
  return {lab.word(lab.vector_of_walk ? "vector_of_walk" : "vector_example"), 3, std::move(picture)};
}

Panel errors_panel(const NumberLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("format"), 2},
                   {lab.word("scales"), 4},
                   {lab.word("bits_each"), 2, true},
                   {lab.word("largest_error"), 2, true},
                   {lab.word("rms"), 2, true}};
  for (std::size_t i = 0; i < alu::scaled_formats().size(); ++i) {
    const alu::ScaledFormat& format = alu::scaled_formats()[i];
    const alu::ScaledVector quantised = alu::quantised(format, lab.vector);
    const auto figure = [&](double value, std::string_view formula) {
      return figure_cell(Figure::derived(real_text(value, 3), lab.word(formula)));
    };
    TableRow row;
    row.cells = {word_cell(std::string(format.name)), word_cell(scale_text(lab, format)),
                 figure(bits_each(format, quantised), "bits_formula"),
                 figure(largest_error(lab.vector, quantised.values), "largest_error_formula"),
                 figure(rms_error(lab.vector, quantised.values), "rms_formula")};
    row.followed = i == lab.scaled;
    table.rows.push_back(std::move(row));
  }
  return {"", 4, std::move(table)};
}

Panel sums_panel(const NumberLab& lab) {
  constexpr std::size_t most_points = 48;
  const auto count = static_cast<std::size_t>(lab.terms);
  const double exact = lab.term * static_cast<double>(lab.terms);
  ScatterPicture picture;
  picture.across = {lab.word("additions"), 0, static_cast<double>(count), false, {}};
  for (int i = 0; i <= 4; ++i) {
    const auto at = static_cast<double>(lab.terms) * i / 4;
    picture.across.ticks.emplace_back(at, with_thousands(std::llround(at)));
  }
  picture.up = {lab.word("sum"), 0, 1.1 * exact, false, even_ticks(0, 1.1 * exact, 4)};
  picture.lines = {{{0, 0}, {static_cast<double>(count), exact}, lab.word("exact"), true}};
  constexpr std::pair<std::string_view, Tone> kept_in[] = {
      {"FP32", Tone::work}, {"FP16", Tone::shared}, {"BF16", Tone::memory}};
  for (std::size_t group = 0; group < std::size(kept_in); ++group) {
    const auto& [format, tone] = kept_in[group];
    picture.groups.push_back({std::string(format), tone});
    const std::vector<double> sums = alu::running_sums(alu::number_format(format), lab.term, count);
    for (std::size_t point = 1; point <= std::min(most_points, count); ++point) {
      const std::size_t at = count * point / std::min(most_points, count);
      picture.points.push_back({static_cast<double>(at), sums[at - 1], group, std::string(format),
                                lab.word("sum_point", {{"n", with_thousands(static_cast<std::int64_t>(at))},
                                                       {"sum", real_text(sums[at - 1])}}),
                                false});
    }
  }
  return {lab.word("sums", {{"term", real_text(lab.term)}}), 1, std::move(picture)};
}

Panel gradients_panel(const NumberLab& lab) {
  const NumberLab::Format& fp16 = alu::number_format("FP16");
  CellGrid cells;
  cells.columns = 32;
  for (const double gradient : lab.gradients) {
    const double scaled = std::ldexp(gradient, static_cast<int>(lab.loss_scale));
    const std::uint64_t bits = alu::nearest(fp16, scaled);
    const double kept = alu::value_of(fp16, bits);
    Tone tone = Tone::work;
    switch (alu::kind_of(fp16, bits)) {
      case alu::NumberKind::zero: tone = Tone::refused; break;
      case alu::NumberKind::subnormal: tone = Tone::shared; break;
      case alu::NumberKind::infinite: tone = Tone::barrier; break;
      default: break;
    }
    cells.cells.push_back({tone, "",
                           lab.word("gradient_tip", {{"gradient", real_text(gradient, 4)},
                                                     {"scaled", real_text(scaled, 4)},
                                                     {"kept", real_text(kept, 4)}})});
  }
  cells.legend = legend(cells, lab.input, NumberLab::words,
                        {{Tone::refused, "becomes_zero"},
                         {Tone::shared, "subnormal"},
                         {Tone::work, "normal"},
                         {Tone::barrier, "becomes_infinite"}});
  cells.note = lab.word("gradients_note");
  return {lab.word("gradients", {{"scale", with_thousands(std::int64_t{1} << lab.loss_scale)}}), 1, std::move(cells)};
}

}  // namespace warpwalk::story
