// `info A --compare B`: how B differs from A.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/verbs/info/overview_json.h"
#include "app/verbs/info/text.h"
#include "core/analysis/names/short_names.h"
#include "core/base/quantity_text.h"
#include "core/words/time_column.h"

namespace warpwalk::verbs {
namespace {

using analysis::ChangeReason;
using analysis::ComparedWork;
using analysis::TraceComparison;
using analysis::WorkGrouping;

constexpr std::size_t most_compared_rows = 12;

std::int64_t whole_ns(double ns) { return std::llround(ns); }

std::string percent_change(double before, double after) {
  return before > 0 ? fmt::format("{:+.1f} %", 100 * (after / before - 1)) : "new";
}

// A difference that the spread of the steps explains has no sentence.
std::string why_text(const ComparedWork& row, const TraceComparison& all) {
  const auto both = [](const std::array<std::string, 2>& values) {
    return values[0] == values[1] ? std::string() : fmt::format(": {} → {}", values[0], values[1]);
  };
  switch (row.why) {
    case ChangeReason::same: return "";
    case ChangeReason::new_: return "new";
    case ChangeReason::gone: return "gone";
    case ChangeReason::replaced:
      return fmt::format("{} {}, for the same op {}", row.launches[0] > 0 ? "replaced by" : "in place of",
                         analysis::shortened(row.counterpart, 40), row.op);
    case ChangeReason::launches:
      return fmt::format("launches{}: {} → {}", all.by_step ? " per step" : "",
                         analysis::launches_text(row.launches[0]), analysis::launches_text(row.launches[1]));
    case ChangeReason::shapes: return "other sizes of tensors" + both(row.shapes);
    case ChangeReason::grid: return "another grid" + both(row.grid);
    case ChangeReason::gpu: return "another GPU";
    case ChangeReason::clock:
      return fmt::format("as all kernels with the same launches: {:+.1f} %, the clock or the power limit",
                         100 * (*all.clock - 1));
    case ChangeReason::time:
      return row.significant == false ? "within the spread of the steps" : "the same launches take another time";
  }
  return "";
}

std::string rows_text(const TraceComparison& all, WorkGrouping grouping) {
  const std::vector<ComparedWork>& rows = all.by(grouping);
  if (rows.empty() || (rows.size() == 1 && rows.front().name.empty())) return {};
  double longest = 1;
  std::vector<std::string_view> names;
  for (const ComparedWork& row : rows) {
    longest = std::max({longest, row.time[0], row.time[1]});
    names.push_back(row.name);
  }
  const std::vector<std::string> labels =
      grouping == WorkGrouping::kernel ? analysis::kernel_labels(names) : std::vector<std::string>();
  const words::TimeColumn times(whole_ns(longest));
  std::string out = fmt::format("\nby {}{}\n", name_of(grouping), all.by_step ? ", per step" : "");
  for (std::size_t i = 0; i < std::min(rows.size(), most_compared_rows); ++i) {
    const ComparedWork& row = rows[i];
    const std::string name =
        labels.empty() ? row.name.empty() ? fmt::format("outside of {}s", name_of(grouping)) : row.name : labels[i];
    out += fmt::format("  {:>12} → {:>12}  {:>12}  {}{}\n", times.text(whole_ns(row.time[0])),
                       times.text(whole_ns(row.time[1])), times.signed_text(whole_ns(row.change())),
                       analysis::shortened(name, 60),
                       row.significant == false && grouping != WorkGrouping::kernel ? " (within the spread)" : "");
    if (const std::string why = grouping == WorkGrouping::kernel ? why_text(row, all) : ""; !why.empty())
      out += fmt::format("{:47}{}\n", "", why);
  }
  if (rows.size() > most_compared_rows)
    out += fmt::format("  and {} more; --json has all of them\n", rows.size() - most_compared_rows);
  return out;
}

void write_rows(JsonWriter& json, const char* key, const TraceComparison& all, WorkGrouping grouping) {
  json.array(key, all.by(grouping), [&](const ComparedWork& row) {
    json.object([&] {
      json.text_or_null("name", row.name);
      json.reals("ns", row.time);
      json.reals("launches", row.launches);
      json.flag_or_null("significant", row.significant);
      if (grouping != WorkGrouping::kernel) return;
      json.text("why", name_of(row.why));
      json.text_or_null("counterpart", row.counterpart);
      json.text_or_null("op", row.op);
      json.text_or_null("module", row.module);
      json.array("grid", row.grid, [&](const std::string& text) { json.text(text); });
      json.array("shapes", row.shapes, [&](const std::string& text) { json.text(text); });
    });
  });
}

}  // namespace

std::string comparison_text(const TraceComparison& all) {
  std::string out;
  constexpr std::array<std::string_view, 2> sides = {"before", "after"};
  for (std::size_t i = 0; i < 2; ++i)
    out += fmt::format("{:<12}{}{}{}\n", sides[i], all.files[i],
                       all.steps[i] > 0 ? fmt::format(", {} steps", all.steps[i]) : ", no steps",
                       all.gpus[i].empty() ? "" : ", " + all.gpus[i]);
  if (!all.by_step) out += "All of both traces is compared: steps can be compared only if both traces have them.\n";
  out += "\n";
  const auto line = [&](std::string_view what, const std::string& before, const std::string& after,
                        const std::string& change, const std::string& remark = "") {
    out += fmt::format("{:<12}{:>12} → {:>12}  {:>12}{}\n", what, before, after, change,
                       remark.empty() ? "" : "  " + remark);
  };
  const auto time = [](double ns) { return base::time_text(ns); };
  if (const auto pct = all.step_median_pct()) {
    const std::string remark =
        !all.p ? fmt::format("too few steps to tell it from chance: {} and {}", all.steps[0], all.steps[1])
        : *all.significant() ? fmt::format("more than the spread of the steps (p = {:.2g})", *all.p)
                             : fmt::format("within the spread of the steps (p = {:.2g})", *all.p);
    line("median step", time(static_cast<double>(all.median_step[0])), time(static_cast<double>(all.median_step[1])),
         fmt::format("{:+.1f} %", *pct), remark);
  }
  line("GPU work", time(all.time[0]), time(all.time[1]), percent_change(all.time[0], all.time[1]),
       all.by_step ? "per step" : "");
  line("launches", analysis::launches_text(all.launches[0]), analysis::launches_text(all.launches[1]),
       percent_change(all.launches[0], all.launches[1]), all.by_step ? "per step" : "");
  if (all.clock && std::abs(*all.clock - 1) >= 0.005)
    out += fmt::format("Kernels with the same launches take {:.3f} times as long.\n", *all.clock);
  if (all.outside[0].launches + all.outside[1].launches > 0)
    out += fmt::format("Left out, as no step launched it: {} and {} of GPU work.\n",
                       time(static_cast<double>(all.outside[0].time)), time(static_cast<double>(all.outside[1].time)));
  for (std::size_t i = 0; i < analysis::work_groupings; ++i) out += rows_text(all, static_cast<WorkGrouping>(i));
  return out;
}

void write_comparison(JsonWriter& json, const TraceComparison& all) {
  json.object("compare", [&] {
    json.array("files", all.files, [&](const std::string& file) { json.text(file); });
    json.array("gpus", all.gpus, [&](const std::string& gpu) { json.text(gpu); });
    json.text("per", all.by_step ? "step" : "trace");
    json.integers("steps", all.steps, [](std::size_t n) { return static_cast<std::int64_t>(n); });
    if (all.step_median_pct())
      json.reals("step_median_ms", std::array{static_cast<double>(all.median_step[0]) / 1e6,
                                              static_cast<double>(all.median_step[1]) / 1e6});
    else
      json.null("step_median_ms");
    json.real_or_null("step_median_pct", all.step_median_pct());
    json.real_or_null("p", all.p);
    json.flag_or_null("significant", all.significant());
    json.reals("gpu_work_ns", all.time);
    json.reals("launches", all.launches);
    json.integers("outside_steps_ns", all.outside, [](const analysis::WorkTotal& one) { return one.time; });
    json.real_or_null("clock_factor", all.clock);
    write_rows(json, "by_category", all, WorkGrouping::category);
    write_rows(json, "by_op", all, WorkGrouping::op);
    write_rows(json, "by_module", all, WorkGrouping::module);
    write_rows(json, "by_kernel", all, WorkGrouping::kernel);
  });
}

}  // namespace warpwalk::verbs
