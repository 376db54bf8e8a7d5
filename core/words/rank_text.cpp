// Ranks in words.
#include "core/words/rank_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/ranks/rank_groups.h"
#include "core/analysis/ranks/rank_report.h"
#include "core/base/quantity_text.h"

namespace warpwalk::words {
namespace {

std::string thousands_of(std::size_t n) { return base::with_thousands(static_cast<std::int64_t>(n)); }

std::string counted(const Narration& narration, std::string_view thing, std::size_t n) {
  return count_text(narration, thing, static_cast<std::int64_t>(n));
}

std::string late_word(const Narration& narration, std::string_view key, const Narration::Values& values = {}) {
  return narration.text("ranks.late", key, values);
}

// The kind of all collectives of a rank; none if they are of several kinds.
std::optional<analysis::CollectiveKind> only_kind(const analysis::RankDigest& digest) {
  if (digest.collectives.empty()) return {};
  const analysis::CollectiveKind kind = digest.collectives.front().kind;
  const auto same = [&](const analysis::RankCollective& one) { return one.kind == kind; };
  return std::ranges::all_of(digest.collectives, same) ? std::optional(kind) : std::nullopt;
}

// The other rank of the collectives, if there is only one.
std::optional<std::size_t> only_other(const analysis::RankReport& report, const analysis::LateCause& cause) {
  if (report.ranks.size() == 2) return 1 - cause.rank;
  if (cause.collective >= report.collectives.size()) return {};
  const std::vector<analysis::Member>& members = report.collectives[cause.collective].members;
  if (members.size() != 2) return {};
  return members[0].rank == cause.rank ? members[1].rank : members[0].rank;
}

std::string waited_text(const Narration& narration, const analysis::RankReport& report,
                        const analysis::LateCause& cause) {
  Narration::Values values = {{"waited", short_time_text(cause.waited)},
                              {"communicating", short_time_text(cause.communicating)}};
  const std::optional<std::size_t> other = only_other(report, cause);
  if (other)
    values["other"] = narration.text("ranks.word", "rank", {{"n", fmt::to_string(report.ranks[*other].identity.rank)}});
  return late_word(narration, other ? "waited_one" : "waited_all", values);
}

std::string clocks_text(const Narration& narration, const analysis::RankReport& report) {
  if (report.alignment.ends == 0) return narration.text("ranks.text", "clocks_unknown");
  return narration.text("ranks.text", "clocks",
                        {{"ends", counted(narration, "collective", report.alignment.ends)},
                         {"uncertainty", short_time_text(report.alignment.uncertainty)}});
}

std::string verdict_of(const Narration& narration, const analysis::RankReport& report) {
  if (report.causes.empty()) return nobody_text(narration, report);
  std::string text = late_group_text(narration, report, report.late_groups.front());
  const std::size_t more = report.late_groups.size() - 1;
  if (more > 0)
    text +=
        " " + narration.text("ranks.text", more == 1 ? "one_more_cause" : "more_causes", {{"n", thousands_of(more)}});
  return text;
}

}  // namespace

std::string short_time_text(std::int64_t ns) {
  const double size = std::abs(static_cast<double>(ns));
  const auto text = [&](double unit, std::string_view name) {
    const double value = size / unit;
    // 999.6 would round to 1e+03.
    const std::string digits =
        value < 999.5 ? base::with_marks(fmt::format("{:.3g}", value)) : base::with_thousands(std::llround(value));
    return fmt::format("{}{} {}", ns < 0 ? "−" : "", digits, name);
  };
  if (size < 999.5) return text(1, "ns");
  if (size < 999.5e3) return text(1e3, "µs");
  if (size < 999.5e6) return text(1e6, "ms");
  return text(1e9, "s");
}

std::string rank_name(const Narration& narration, const analysis::RankReport& report, std::size_t rank) {
  return narration.text("ranks.word", "the_rank", {{"n", fmt::to_string(report.ranks[rank].identity.rank)}});
}

std::string collectives_name(const Narration& narration, analysis::CollectiveKind kind) {
  return narration.text("ranks.kinds", name_of(kind));
}

std::string place_text(const analysis::LateCause& cause) {
  const std::string line = cause.file.empty() ? std::string()
                           : cause.line > 0   ? fmt::format("{}:{}", cause.file, cause.line)
                                              : cause.file;
  if (cause.function.empty()) return line;
  return line.empty() ? cause.function : fmt::format("{} ({})", cause.function, line);
}

std::string late_cause_text(const Narration& narration, const analysis::LateCause& cause) {
  const std::string place = place_text(cause);
  const bool of_line = cause.kind == analysis::LateKind::line;
  const bool of_kernel = cause.kind == analysis::LateKind::kernel || cause.kind == analysis::LateKind::more_work;
  const std::string name = of_kernel ? analysis::short_kernel_name(cause.name) : cause.name;
  std::string what = name;
  if (!place.empty() && (of_line || name.empty()))
    what = place;
  else if (!place.empty())
    what = late_word(narration, "name_in", {{"name", name}, {"place", place}});
  std::string key(name_of(cause.kind));
  // The call in which a line was blocked says whether it slept.
  if (of_line && cause.slept) key = cause.name.find("sleep") == std::string::npos ? "line_blocked" : "line_slept";
  if (what.empty() && cause.kind != analysis::LateKind::unknown) key += "_unnamed";
  return late_word(narration, key, {{"what", what}});
}

std::string late_text(const Narration& narration, const analysis::RankReport& report,
                      const analysis::LateCause& cause) {
  const bool unknown = cause.kind == analysis::LateKind::unknown;
  // Of many ranks, one can be late without ever being the last.
  const bool last = 2 * cause.last_in >= cause.late_in;
  const std::string key = std::string(unknown ? "sentence_unknown" : "sentence") + (last ? "" : "_among");
  const std::optional<analysis::CollectiveKind> kind = only_kind(report.ranks[cause.rank]);
  const std::string_view by = cause.times == 1 ? "by_once" : "by_times";
  return late_word(
      narration, key,
      {{"rank", rank_name(narration, report, cause.rank)},
       {"last_in", thousands_of(cause.last_in)},
       {"late_in", thousands_of(cause.late_in)},
       {"of", thousands_of(cause.of)},
       {"collectives", kind ? collectives_name(narration, *kind) : late_word(narration, "collectives")},
       {"cause", late_cause_text(narration, cause)},
       {"late", short_time_text(cause.late)},
       {"by", late_word(narration, by, {{"late", short_time_text(cause.late)}, {"n", thousands_of(cause.times)}})},
       {"others", waited_text(narration, report, cause)}});
}

std::string late_ranks_text(const Narration& narration, const analysis::RankReport& report,
                            const analysis::LateGroup& group) {
  if (group.ranks.size() == 1) return rank_name(narration, report, group.ranks.front());
  std::vector<std::int64_t> numbers;
  for (const std::size_t rank : group.ranks) numbers.push_back(report.ranks[rank].identity.rank);
  const std::string ranks = late_word(narration, "group_ranks", {{"ranks", analysis::ranks_list(numbers)}});
  if (group.place == analysis::LatePlace::none) return ranks;
  const bool host = group.place == analysis::LatePlace::host, whole = group.size == group.ranks.size();
  const std::string key = std::string(host ? "place_host" : "place_group") + (group.name.empty() ? "_unnamed" : "") +
                          (whole ? "" : "_part");
  return fmt::format(
      "{}, {}", ranks,
      late_word(narration, key,
                {{"name", group.name}, {"n", thousands_of(group.ranks.size())}, {"all", thousands_of(group.size)}}));
}

std::string late_group_text(const Narration& narration, const analysis::RankReport& report,
                            const analysis::LateGroup& group) {
  const analysis::LateCause& first = report.causes[group.causes.front()];
  if (group.ranks.size() == 1) return late_text(narration, report, first);
  analysis::LateCause all = first;
  std::int64_t cost = 0, times = 0;
  for (const std::size_t i : group.causes) {
    const analysis::LateCause& one = report.causes[i];
    cost += one.late * static_cast<std::int64_t>(one.times);
    times += static_cast<std::int64_t>(one.times);
    all.times = std::max(all.times, one.times);
    if (one.waited <= all.waited) continue;
    all.waited = one.waited;
    all.communicating = one.communicating;
  }
  all.late = times == 0 ? 0 : cost / times;
  const std::string_view by = all.times == 1 ? "by_once" : "by_times";
  return late_word(
      narration, first.kind == analysis::LateKind::unknown ? "sentence_group_unknown" : "sentence_group",
      {{"ranks", late_ranks_text(narration, report, group)},
       {"cause", late_cause_text(narration, first)},
       {"late", short_time_text(all.late)},
       {"by", late_word(narration, by, {{"late", short_time_text(all.late)}, {"n", thousands_of(all.times)}})},
       {"others",
        late_word(narration, "waited_all",
                  {{"waited", short_time_text(all.waited)}, {"communicating", short_time_text(all.communicating)}})}});
}

std::string nobody_text(const Narration& narration, const analysis::RankReport& report) {
  if (report.doubt == analysis::RankDoubt::missing) {
    const std::int64_t world = report.ranks.front().identity.world;
    return narration.text(
        "ranks.text", "doubt_missing",
        {{"missing", base::with_thousands(world - std::ssize(report.ranks))}, {"world", base::with_thousands(world)}});
  }
  if (report.doubt == analysis::RankDoubt::clocks)
    return narration.text("ranks.text", "doubt_clocks",
                          {{"uncertainty", short_time_text(report.alignment.uncertainty)}});
  if (std::ranges::none_of(report.collectives, analysis::has_skew))
    return narration.text("ranks.text", "nobody_by_messages");
  if (!report.always_last)
    return narration.text("ranks.text", "nobody", {{"skew", short_time_text(analysis::median_skew(report))}});
  const analysis::LastRank& last = *report.always_last;
  constexpr double least_slower = 0.05;
  const std::optional<analysis::CollectiveKind> kind = only_kind(report.ranks[last.rank]);
  return narration.text(
      "ranks.text", last.slower_cpu < least_slower ? "last_later" : "last_slower",
      {{"rank", rank_name(narration, report, last.rank)},
       {"last_in", thousands_of(last.last_in)},
       {"of", thousands_of(last.of)},
       {"collectives", kind ? collectives_name(narration, *kind) : late_word(narration, "collectives")},
       {"slower", fmt::format("{:.0f} %", 100 * last.slower_cpu)}});
}

std::string ranks_text(const Narration& narration, const analysis::RankReport& report) {
  const auto text = [&](std::string_view key, const Narration::Values& values = {}) {
    return narration.text("ranks.text", key, values);
  };
  if (report.empty()) return text("one");
  const auto open = static_cast<std::int64_t>(report.ranks.size());
  const std::int64_t world = report.ranks.front().identity.world;
  const std::string_view key = world == open ? "all_ranks" : world > open ? "some_ranks" : "ranks";
  const std::string ranks = text(key, {{"ranks", base::with_thousands(open)}, {"world", base::with_thousands(world)}});
  const std::size_t shared = analysis::shared_collectives(report);
  if (shared == 0) return fmt::format("{} {}", ranks, text("no_collectives"));
  const std::string matched = text("matched", {{"collectives", counted(narration, "collective", shared)},
                                               {"groups", counted(narration, "group", report.groups.size())}});
  const std::string clocks = clocks_text(narration, report);
  // Without clocks, that nobody is late is not known either.
  if (report.alignment.ends == 0 && report.causes.empty()) return fmt::format("{} {} {}", ranks, matched, clocks);
  return fmt::format("{} {} {} {}", ranks, matched, clocks, verdict_of(narration, report));
}

}  // namespace warpwalk::words
