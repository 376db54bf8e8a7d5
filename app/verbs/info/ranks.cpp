#include "app/verbs/info/ranks.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "app/verbs/info/overview_json.h"
#include "core/base/quantity_text.h"
#include "core/words/rank_text.h"
#include "core/words/time_column.h"

namespace warpwalk::verbs {
namespace {

using analysis::MatchedCollective;
using analysis::RankReport;

std::int64_t number_of_rank(const RankReport& report, std::size_t rank) { return report.ranks[rank].identity.rank; }

void write_optional(JsonWriter& json, const char* key, std::string_view text) {
  if (text.empty())
    json.null(key);
  else
    json.text(key, text);
}

void write_bandwidth(JsonWriter& json, const char* key, double gb_per_second) {
  if (gb_per_second > 0)
    json.real(key, gb_per_second);
  else
    json.null(key);
}

void write_traces(JsonWriter& json, const RankReport& report) {
  std::vector<std::size_t> order(report.ranks.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  json.array("traces", order, [&](std::size_t rank) {
    const analysis::RankDigest& digest = report.ranks[rank];
    json.object([&] {
      json.integer("rank", digest.identity.rank);
      json.text("file", digest.file.string());
      write_optional(json, "digest", digest.digest.string());
      write_optional(json, "host", digest.identity.host);
      json.number("events", digest.events);
      json.number("steps", digest.steps);
      json.number("collectives", digest.collectives.size());
      json.integer("computing_ns", digest.computing);
      json.integer("communicating_ns", digest.communicating);
      json.integer("exposed_ns", digest.exposed);
      json.integer("waited_ns", report.waited(rank));
    });
  });
}

void write_collective(JsonWriter& json, const RankReport& report, const MatchedCollective& one) {
  json.text("kind", name_of(one.kind));
  json.text("group", report.groups[one.group].name);
  json.integer("sequence", one.sequence);
  json.integer("step", one.step);
  json.integer("bytes", one.bytes);
  json.integers("ranks", one.members,
                [&](const analysis::Member& member) { return number_of_rank(report, member.rank); });
  json.integers("arrivals", one.members, [&](const analysis::Member& member) { return member.arrival - report.begin; });
  json.integer("transfer_ns", one.transfer);
  if (one.late == MatchedCollective::nobody)
    json.null("late_rank");
  else
    json.integer("late_rank", number_of_rank(report, one.members[one.late].rank));
  json.integer("late_ns", one.late_by);
  json.integer("wait_ns", one.wait);
  json.integers("waits_ns", one.members, [](const analysis::Member& member) { return member.wait; });
  write_bandwidth(json, "algorithm_gb_s", one.algorithm_bandwidth());
  write_bandwidth(json, "bus_gb_s", one.bus_bandwidth());
  json.number("missing_ranks", one.missing);
  json.flag("mixed", one.mixed);
}

void write_wait(JsonWriter& json, const RankReport& report, const analysis::LateCause& cause) {
  json.integer("late_rank", number_of_rank(report, cause.rank));
  json.integer("late_ns", cause.late);
  json.number("times", cause.times);
  json.text("cause", name_of(cause.kind));
  write_optional(json, "name", cause.name);
  write_optional(json, "function", cause.function);
  write_optional(json, "file", cause.file);
  if (cause.line > 0)
    json.integer("line", cause.line);
  else
    json.null("line");
  json.flag("slept", cause.slept);
  json.number("arrives_last", cause.last_in);
  json.number("arrives_late", cause.late_in);
  json.number("of", cause.of);
  json.integer("waited_ns", cause.waited);
  json.integer("communicating_ns", cause.communicating);
}

void write_late_group(JsonWriter& json, const RankReport& report, const analysis::LateGroup& group) {
  json.integers("ranks", group.ranks, [&](std::size_t rank) { return number_of_rank(report, rank); });
  json.integers("waits", group.causes, [](std::size_t cause) { return static_cast<std::int64_t>(cause); });
  write_optional(json, "place",
                 group.place == analysis::LatePlace::host            ? "host"
                 : group.place == analysis::LatePlace::process_group ? "process_group"
                                                                     : "");
  write_optional(json, "name", group.name);
  json.number("of", group.size);
}

/// The collectives of one kind, together.
struct KindTotal {
  std::size_t count = 0, timed = 0;
  std::int64_t bytes = 0, transfer = 0, wait = 0;
  double bus = 0;  // GB/s, the sum of those that have one
};

std::string kinds_table(const RankReport& report) {
  std::array<KindTotal, analysis::collective_kinds> totals{};
  std::int64_t longest = 0;
  for (const MatchedCollective& one : report.collectives) {
    KindTotal& total = totals[static_cast<std::size_t>(one.kind)];
    ++total.count;
    total.bytes += one.bytes;
    total.transfer += one.transfer;
    total.wait += one.wait;
    total.bus += one.bus_bandwidth();
    total.timed += one.bus_bandwidth() > 0 ? 1 : 0;
    longest = std::max({longest, total.transfer, total.wait});
  }
  const words::TimeColumn times(longest);
  std::string out = "\ncollectives            number        bytes     transfer      waiting  mean bus bandwidth\n";
  for (std::size_t kind = 0; kind < totals.size(); ++kind) {
    const KindTotal& total = totals[kind];
    if (total.count == 0) continue;
    out +=
        fmt::format("  {:<18}{:>9} {:>12} {:>12} {:>12}  {}\n", name_of(static_cast<analysis::CollectiveKind>(kind)),
                    base::with_thousands(static_cast<std::int64_t>(total.count)),
                    total.bytes == 0 ? "?" : base::bytes_text(static_cast<double>(total.bytes)),
                    times.text(total.transfer), times.text(total.wait),
                    total.timed == 0 ? "?" : fmt::format("{:.1f} GB/s", total.bus / static_cast<double>(total.timed)));
  }
  return out;
}

std::string traces_table(const RankReport& report) {
  std::int64_t longest = 0;
  for (std::size_t rank = 0; rank < report.ranks.size(); ++rank)
    longest = std::max({longest, report.ranks[rank].computing, report.ranks[rank].communicating, report.waited(rank)});
  const words::TimeColumn times(longest);
  std::string out = "\nranks      computing  communicating    of it alone      waiting  trace\n";
  constexpr std::size_t limit = 16;
  for (std::size_t rank = 0; rank < std::min(report.ranks.size(), limit); ++rank) {
    const analysis::RankDigest& digest = report.ranks[rank];
    out += fmt::format("  {:>5} {:>12} {:>14} {:>14} {:>12}  {}\n", digest.identity.rank, times.text(digest.computing),
                       times.text(digest.communicating), times.text(digest.exposed), times.text(report.waited(rank)),
                       digest.file.filename().string());
  }
  if (report.ranks.size() > limit) out += fmt::format("  and {} more ranks\n", report.ranks.size() - limit);
  return out;
}

}  // namespace

void write_ranks(JsonWriter& json, const RankReport& report) {
  json.object("ranks", [&] {
    json.number("count", report.ranks.size());
    json.integer("clock_uncertainty_ns", report.alignment.uncertainty);
    json.number("clock_ends", report.alignment.ends);
    write_traces(json, report);
    json.array("waits", report.causes,
               [&](const analysis::LateCause& cause) { json.object([&] { write_wait(json, report, cause); }); });
    json.array("late_groups", report.late_groups,
               [&](const analysis::LateGroup& group) { json.object([&] { write_late_group(json, report, group); }); });
    write_rank_advice(json, report);
    if (report.doubt == analysis::RankDoubt::none)
      json.null("doubt");
    else
      json.text("doubt", report.doubt == analysis::RankDoubt::missing ? "missing" : "clocks");
    if (report.always_last)
      json.object("always_last", [&] {
        json.integer("late_rank", number_of_rank(report, report.always_last->rank));
        json.number("arrives_last", report.always_last->last_in);
        json.number("of", report.always_last->of);
        json.real("slower_cpu", report.always_last->slower_cpu);
      });
    else
      json.null("always_last");
    json.array("collectives", report.collectives,
               [&](const MatchedCollective& one) { json.object([&] { write_collective(json, report, one); }); });
    json.array("problems", report.problems, [&](const std::string& problem) { json.text(problem); });
  });
}

std::string ranks_json(const RankReport& report) {
  JsonWriter json;
  json.object([&] { write_ranks(json, report); });
  return json.document() + "\n";
}

std::string ranks_report_text(const words::Narration& words, const RankReport& report, std::string_view name) {
  std::string out = fmt::format("{}\n{}\n", name, words::ranks_text(words, report));
  constexpr std::size_t most_causes = 5;  // the first is in the paragraph
  for (std::size_t i = 1; i < std::min(report.late_groups.size(), most_causes); ++i)
    out += words::late_group_text(words, report, report.late_groups[i]) + "\n";
  out += rank_advice_table(words, report);
  if (!report.collectives.empty()) out += kinds_table(report);
  out += traces_table(report);
  if (report.problems.empty()) return out;
  out += "\nproblems\n";
  constexpr std::size_t most_problems = 20;
  for (std::size_t i = 0; i < std::min(report.problems.size(), most_problems); ++i)
    out += fmt::format("  {}\n", report.problems[i]);
  if (report.problems.size() > most_problems)
    out += fmt::format("  and {} more\n", report.problems.size() - most_problems);
  return out;
}

}  // namespace warpwalk::verbs
