#include "core/story/facts/kernels/kernel_roofline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "core/story/elements/figure.h"
#include "core/words/amount_text.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t named_points = 6;
constexpr double tera = 1e12;
constexpr std::string_view roofline_section = "kernels_page.roofline";

struct Place {
  double intensity = 0, speed = 0;  // FLOP per byte, FLOP per second
};

std::optional<Place> place_of_row(const analysis::KernelRow& row) {
  if (!row.is_kernel() || row.both_bytes.amount <= 0 || row.both_flops.amount <= 0 || row.fewer > 0) return {};
  const std::optional<double> speed = row.both_flops.rate();
  if (!speed) return {};
  return Place{row.both_flops.amount / row.both_bytes.amount, *speed};
}

std::size_t group_of_row(const analysis::KernelRow& row) {
  if (row.rule == analysis::WorkRule::arithmetic || row.tensor_cores.use == analysis::TensorCoreUse::no) return 1;
  return row.tensor_cores.use == analysis::TensorCoreUse::yes ? 0 : 2;
}

// The ends of the values, and powers of ten around them.
class DecadeRange {
 public:
  void add(double value) {
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }
  double from() const { return std::pow(10, std::floor(std::log10(least_))); }
  double to() const { return std::max(std::pow(10, std::ceil(std::log10(most_ * 1.1))), 10 * from()); }

 private:
  double least_ = std::numeric_limits<double>::max();
  double most_ = std::numeric_limits<double>::min();
};

ScatterAxis decade_axis(std::string label, const DecadeRange& range, double unit) {
  ScatterAxis axis = {std::move(label), range.from(), range.to(), true, {}};
  for (double tick = range.from(); tick <= range.to() * 1.01; tick *= 10)
    axis.ticks.emplace_back(tick, with_marks(fmt::format("{:g}", tick / unit)));
  return axis;
}

std::string place_text(const Narration& narration, const analysis::KernelTable& table, const analysis::KernelRow& row,
                       const Place& place) {
  std::string text = narration.text(roofline_section, "point",
                                    {{"speed", words::amount_text(narration, "kernels_page.flop_rate", place.speed)},
                                     {"intensity", with_marks(fmt::format("{:.3g}", place.intensity))},
                                     {"time", time_text(static_cast<double>(row.total))},
                                     {"launches", with_thousands(static_cast<std::int64_t>(row.count))}});
  if (const auto share = table.share_of_peak(row))
    text += "\n" + narration.text(roofline_section, share->memory ? "share_memory" : "share_arithmetic",
                                  {{"share", with_marks(fmt::format("{:.1f}", 100 * share->share))}});
  return text;
}

// The roofs of the units that points need, up to the slope of the DRAM bandwidth.
void add_roofs(const Narration& narration, const analysis::KernelTable& table,
               const std::set<analysis::MathUnit>& units, ScatterPicture& picture) {
  if (!table.peaks.bytes_per_second) return;
  const double bandwidth = *table.peaks.bytes_per_second;
  double highest = 0;
  for (const analysis::MathUnit unit : units) {
    const analysis::UnitPeak* const peak = table.peaks.find(unit);
    if (peak == nullptr) continue;
    highest = std::max(highest, peak->flops_per_second);
    const double ridge = std::clamp(peak->flops_per_second / bandwidth, picture.across.from, picture.across.to);
    picture.lines.push_back(
        {{ridge, peak->flops_per_second},
         {picture.across.to, peak->flops_per_second},
         narration.text(roofline_section, "roof",
                        {{"unit", narration.text("kernels_page.unit", name_of(unit))},
                         {"peak", words::amount_text(narration, "kernels_page.flop_rate", peak->flops_per_second)}}),
         false});
  }
  if (highest == 0) return;
  // From the left or the lower edge, so that the slope stays that of the bandwidth.
  const double from = std::max(picture.across.from, picture.up.from / bandwidth);
  const double to = std::min(picture.across.to, highest / bandwidth);
  if (from >= to) return;
  picture.lines.push_back(
      {{from, from * bandwidth},
       {to, to * bandwidth},
       narration.text(roofline_section, "memory_roof",
                      {{"bandwidth", words::amount_text(narration, "kernels_page.byte_rate", bandwidth)}}),
       false});
}

}  // namespace

KernelRoofline kernel_roofline(const Narration& narration, const analysis::KernelTable& table) {
  KernelRoofline roofline;
  DecadeRange across, up;
  std::set<analysis::MathUnit> units;
  ScatterPicture& picture = roofline.picture;
  picture.groups = {{narration.text(roofline_section, "tensor"), Tone::work},
                    {narration.text(roofline_section, "cores"), Tone::memory},
                    {narration.text(roofline_section, "unknown"), Tone::plain}};
  for (const analysis::KernelRow& row : table.rows) {
    if (!row.is_kernel()) continue;
    const std::optional<Place> place = place_of_row(row);
    if (!place) {
      ++roofline.without;
      roofline.share_without += row.share.value_or(0);
      continue;
    }
    picture.points.push_back({place->intensity, place->speed, group_of_row(row), row.label,
                              place_text(narration, table, row, *place), roofline.points < named_points});
    ++roofline.points;
    across.add(place->intensity);
    up.add(place->speed);
    if (row.unit) units.insert(*row.unit);
  }
  if (roofline.points == 0) return roofline;
  for (const analysis::MathUnit unit : units)
    if (const analysis::UnitPeak* const peak = table.peaks.find(unit)) {
      up.add(peak->flops_per_second);
      across.add(peak->flops_per_second / *table.peaks.bytes_per_second);  // the ridge
    }
  picture.across = decade_axis(narration.text(roofline_section, "intensity"), across, 1);
  picture.up = decade_axis(narration.text(roofline_section, "speed"), up, tera);
  add_roofs(narration, table, units, picture);
  return roofline;
}

}  // namespace warpwalk::story
