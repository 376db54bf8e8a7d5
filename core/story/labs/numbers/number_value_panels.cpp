// The panels about one number: its bits, what each format keeps of it, and what a format can hold.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/numbers/numbers.h"

namespace warpwalk::story {
namespace {

namespace alu = gpu::alu;
using Format = NumberLab::Format;
using alu::NumberKind;

enum class NumberPart { sign, exponent, fraction };

NumberPart part_of(const Format& format, int bit) {
  if (bit == format.bits() - 1) return NumberPart::sign;
  return !format.integer() && bit >= format.layout.fraction_bits ? NumberPart::exponent : NumberPart::fraction;
}

Tone tone_of(NumberPart part) {
  return part == NumberPart::sign ? Tone::barrier : part == NumberPart::exponent ? Tone::shared : Tone::memory;
}

Tone tone_of(NumberKind kind) {
  switch (kind) {
    case NumberKind::zero: return Tone::plain;
    case NumberKind::subnormal: return Tone::shared;
    case NumberKind::normal: return Tone::work;
    case NumberKind::infinite: return Tone::barrier;
    case NumberKind::nan: return Tone::refused;
  }
  return Tone::plain;
}

std::string binary(std::uint64_t bits, int width) { return fmt::format("{:0{}b}", bits, width); }

int lowest_exponent(const Format& format) {
  return format.integer() ? 0 : 1 - format.layout.bias() - format.layout.fraction_bits;
}

}  // namespace

Panel bits_panel(const NumberLab& lab) {
  const Format& format = *lab.format;
  CellGrid cells;
  cells.columns = static_cast<std::size_t>(std::min(32, format.bits()));
  for (int bit = format.bits() - 1; bit >= 0; --bit) {
    const std::uint64_t mask = std::uint64_t{1} << bit;
    const NumberPart part = part_of(format, bit);
    const double then = alu::value_of(format, lab.pattern ^ mask);
    Cell cell = {tone_of(part), (lab.pattern & mask) != 0 ? "1" : "0",
                 lab.word("bit_tip", {{"bit", fmt::to_string(bit)}, {"value", real_text(then, 9)}})};
    cell.sets = lab.sets(lab.pattern ^ mask);
    cells.cells.push_back(std::move(cell));
  }
  cells.legend = legend(cells, lab.input, NumberLab::words,
                        {{Tone::barrier, "sign"}, {Tone::shared, "exponent"}, {Tone::memory, "fraction"}});
  cells.summary = binary(lab.pattern, format.bits());
  return {lab.word("bits", {{"format", std::string(format.name)}, {"n", fmt::to_string(format.bits())}}), 1,
          std::move(cells)};
}

Panel parts_panel(const NumberLab& lab) {
  const Format& format = *lab.format;
  TablePicture table;
  table.columns = {{lab.word("part"), 2}, {lab.word("pattern"), 4}, {lab.word("meaning"), 6}};
  const auto row = [&](std::string_view part, std::string bits, std::string meaning, bool followed = false) {
    TableCell code = word_cell(std::move(bits)), text = word_cell(std::move(meaning));
    code.code = text.code = true;
    table.rows.push_back({{word_cell(lab.word(part)), std::move(code), std::move(text)}, followed});
  };
  const std::string value = real_text(lab.value(), 17);
  if (format.integer()) {
    row("fraction", binary(lab.pattern, format.bits()), lab.word("complement", {{"value", value}}), true);
    return {"", 1, std::move(table)};
  }
  const alu::FloatFormat& layout = format.layout;
  const std::uint64_t fraction = lab.pattern & ((std::uint64_t{1} << layout.fraction_bits) - 1);
  const std::uint64_t exponent = (lab.pattern & (layout.sign() - 1)) >> layout.fraction_bits;
  const bool negative = (lab.pattern & layout.sign()) != 0;
  const NumberKind kind = alu::kind_of(format, lab.pattern);
  const bool special = kind == NumberKind::nan || kind == NumberKind::infinite;
  const bool normal = exponent != 0;
  row("sign", negative ? "1" : "0", negative ? "−" : "+");
  row("exponent", binary(exponent, layout.exponent_bits),
      special ? lab.word("all_ones")
              : fmt::format("2^({} − {}) = 2^{}", std::max<std::uint64_t>(1, exponent), layout.bias(),
                            static_cast<std::int64_t>(std::max<std::uint64_t>(1, exponent)) - layout.bias()));
  row("fraction", binary(fraction, layout.fraction_bits),
      special ? lab.word(lab.kind_word())
              : fmt::format(
                    "{} + {}/{} = {}", normal ? 1 : 0, fraction, std::uint64_t{1} << layout.fraction_bits,
                    real_text((normal ? 1 : 0) + std::ldexp(static_cast<double>(fraction), -layout.fraction_bits), 9)));
  row("product", lab.hex(lab.pattern), value + " · " + lab.word(lab.kind_word()), true);
  return {"", 1, std::move(table)};
}

Panel kept_panel(const NumberLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("format"), 2},
                   {lab.word("kept"), 4, true},
                   {lab.word("error"), 3, true},
                   {lab.word("relative"), 3, true},
                   {lab.word("spacing"), 3, true}};
  for (const Format& format : alu::number_formats()) {
    const std::uint64_t bits = alu::nearest(format, lab.entered);
    const double kept = alu::value_of(format, bits), error = kept - lab.entered;
    const auto figure = [&](double value, std::string_view formula) {
      return figure_cell(Figure::derived(real_text(value, 4), lab.word(formula)));
    };
    TableRow row;
    row.cells = {word_cell(std::string(format.name)),
                 figure_cell(Figure::derived(real_text(kept, 9), lab.word("kept_formula"))),
                 figure_cell(Figure::derived(error_text(lab, format, kept), lab.word("error_formula"))),
                 lab.entered == 0 || !std::isfinite(error) || (error == 0 && !lab.whole)
                     ? word_cell("–")
                     : figure(std::abs(error / lab.entered), "relative_formula"),
                 std::isfinite(kept) ? figure(alu::spacing_at(format, bits), "spacing_formula") : word_cell("–")};
    if (lab.exact_in(format)) row.cells[2].tone = Tone::work;
    if (!std::isfinite(kept) || (kept == 0 && lab.entered != 0)) row.cells[1].tone = Tone::refused;
    row.followed = &format == lab.format;
    table.rows.push_back(std::move(row));
  }
  return {"", 1, std::move(table)};
}

Panel range_panel(const NumberLab& lab) {
  RasterPicture raster;
  raster.from = -150;
  raster.to = 130;
  raster.states = {{Tone::work, false, false, lab.word("normal")}, {Tone::shared, false, false, lab.word("subnormal")}};
  raster.word_cycle = lab.word("power_of_two");
  raster.control = fmt::format("{}.format", NumberLab::name);
  raster.word_rows = lab.word("formats");
  RasterGroup group;
  for (std::size_t i = 0; i < alu::number_formats().size(); ++i) {
    const Format& format = alu::number_formats()[i];
    RasterRow row = {std::string(format.short_name), static_cast<double>(i), i == lab.chosen};
    const auto add = [&](int from, int to, std::size_t state) {
      const std::string tip = fmt::format("{}: 2^{} ... 2^{}", raster.states[state].word, from, to - 1);
      from = std::max(from, static_cast<int>(raster.from));
      to = std::min(to, static_cast<int>(raster.to));
      if (from < to) row.spans.push_back({from, to, state, tip});
    };
    const int normal = std::ilogb(alu::smallest_normal(format));
    if (!format.integer()) add(lowest_exponent(format), normal, 1);
    add(normal, std::ilogb(alu::largest(format)) + 1, 0);
    group.rows.push_back(std::move(row));
  }
  raster.groups.push_back(std::move(group));
  return {lab.word("ranges"), 1, std::move(raster)};
}

Panel limits_panel(const NumberLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("format"), 2},
                   {lab.word("layout"), 2},
                   {lab.word("largest"), 3, true},
                   {lab.word("least"), 3, true},
                   {lab.word("digits"), 2, true}};
  for (const Format& format : alu::number_formats()) {
    const auto figure = [&](double value, std::string_view formula) {
      // Whole numbers that are known by heart, such as 65504, stay whole.
      const bool known = value < 100000 && value == std::floor(value);
      return figure_cell(Figure::derived(real_text(value, known ? 5 : 3), lab.word(formula)));
    };
    TableRow row;
    row.cells = {
        word_cell(std::string(format.short_name)),
        word_cell(format.integer() ? fmt::format("1+{}", format.bits() - 1)
                                   : fmt::format("1+{}+{}", format.layout.exponent_bits, format.layout.fraction_bits)),
        figure(alu::largest(format), "largest_formula"), figure(alu::smallest(format), "least_formula"),
        figure(((format.integer() ? format.bits() - 2 : format.layout.fraction_bits) + 1) * std::log10(2.0),
               "digits_formula")};
    row.followed = &format == lab.format;
    table.rows.push_back(std::move(row));
  }
  return {"", 1.1, std::move(table)};
}

Panel patterns_panel(const NumberLab& lab) {
  const Format& format = *lab.format;
  const int below = std::max(0, format.bits() - 8);  // bits that the patterns of a cell differ in
  CellGrid cells;
  cells.columns = format.bits() < 8 ? 8 : 32;
  const std::uint64_t count = std::uint64_t{1} << (format.bits() - below);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t first = i << below, last = first | ((std::uint64_t{1} << below) - 1);
    const std::string from = real_text(alu::value_of(format, first)), to = real_text(alu::value_of(format, last));
    Cell cell = {tone_of(alu::kind_of(format, last)), below == 0 ? from : "",
                 below == 0 ? fmt::format("{}: {}", lab.hex(first), from)
                            : fmt::format("{} ... {}: {} ... {}", lab.hex(first), lab.hex(last), from, to)};
    cell.sets = lab.sets(first);
    cells.cells.push_back(std::move(cell));
  }
  cells.followed = lab.pattern >> below;
  cells.legend = legend(cells, lab.input, NumberLab::words,
                        {{Tone::plain, "zero"},
                         {Tone::shared, "subnormal"},
                         {Tone::work, "normal"},
                         {Tone::barrier, "infinite"},
                         {Tone::refused, "nan"}});
  if (below > 0) cells.note = lab.word("top_bits", {{"n", with_thousands(std::int64_t{1} << std::min(below, 62))}});
  return {lab.word("patterns", {{"format", std::string(format.name)}}), 1, std::move(cells)};
}

}  // namespace warpwalk::story
