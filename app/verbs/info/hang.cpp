#include "app/verbs/info/hang.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/verbs/info/json_writer.h"
#include "core/base/quantity_text.h"
#include "core/words/hang_text.h"

namespace warpwalk::verbs {
namespace {

using analysis::HangCall;
using analysis::HangReport;
using analysis::Mismatch;
using analysis::Wait;
using trace::flight::State;

std::string_view name_of_state(State state) {
  switch (state) {
    case State::scheduled: return "scheduled";
    case State::started: return "started";
    case State::completed: return "completed";
    case State::unknown: break;
  }
  return "unknown";
}

void write_line_of(JsonWriter& json, const HangCall& call) {
  json.text_or_null("file", call.file);
  if (call.line > 0)
    json.integer("line", call.line);
  else
    json.null("line");
  json.text_or_null("function", call.function);
}

void write_call(JsonWriter& json, const HangReport& report, const HangCall& call) {
  json.integer("rank", call.rank);
  json.text("group", report.groups[call.group].name);
  json.text("collective", call.name);
  json.integer("sequence", call.sequence);
  json.text("state", name_of_state(call.state));
  write_line_of(json, call);
  json.text("input_sizes", call.input_sizes);
  json.text("output_sizes", call.output_sizes);
  json.text("input_types", call.input_types);
  json.text("output_types", call.output_types);
  json.integer("created_ns", call.created);
}

void write_mismatch(JsonWriter& json, const HangReport& report, const Mismatch& mismatch) {
  json.text("what", name_of(mismatch.kind));
  json.integer("sequence", mismatch.sequence);
  std::size_t side = 0;
  json.array("sides", mismatch.sides, [&](const HangCall& call) {
    json.object([&] {
      json.integers("ranks", mismatch.ranks[side++], [](std::int64_t rank) { return rank; });
      write_call(json, report, call);
    });
  });
}

// What each rank has called: those of the wait, and for those that are missing their own.
std::vector<HangCall> calls_of_ranks(const Wait& wait) {
  std::vector<HangCall> calls = wait.calls;
  for (const auto& call : wait.instead)
    if (call) calls.push_back(*call);
  std::ranges::stable_sort(calls, {}, &HangCall::rank);
  return calls;
}

void write_hang_wait(JsonWriter& json, const words::Narration& words, const HangReport& report, const Wait& wait) {
  const auto ranks = [&](const char* key, const std::vector<std::int64_t>& list) {
    json.integers(key, list, [](std::int64_t rank) { return rank; });
  };
  json.text("group", report.groups[wait.group].name);
  json.text("description", report.groups[wait.group].description);
  ranks("group_ranks", report.groups[wait.group].ranks);
  json.text("collective", wait.collective);
  json.flag("message", wait.message);
  json.integer("sequence", wait.sequence);
  json.text("state", name_of_state(wait.state()));
  ranks("waiting", wait.waiting);
  ranks("missing", wait.missing);
  ranks("complete", wait.complete);
  ranks("no_dump", wait.unknown);
  ranks("unsure", wait.unsure);
  if (wait.since() == 0)
    json.null("since_ns");
  else
    json.integer("since_ns", wait.since());
  json.flag("timed_out", std::ranges::any_of(wait.calls, &HangCall::timed_out));
  json.array("at", calls_of_ranks(wait),
             [&](const HangCall& call) { json.object([&] { write_call(json, report, call); }); });
  if (wait.mismatch)
    json.object("mismatch", [&] { write_mismatch(json, report, *wait.mismatch); });
  else
    json.null("mismatch");
  json.integers("because_of", wait.because_of, [](std::size_t other) { return static_cast<std::int64_t>(other); });
  json.flag("circle", wait.circle);
  json.number("behind", wait.behind);
  json.text("sentence", words::wait_text(words, report, wait));
}

std::string calls_table(const HangReport& report, const Wait& wait) {
  constexpr std::size_t most_ranks_listed = 16;
  std::string out = "   rank  state      call                              line\n";
  const std::vector<HangCall> calls = calls_of_ranks(wait);
  for (std::size_t i = 0; i < std::min(calls.size(), most_ranks_listed); ++i) {
    const HangCall& call = calls[i];
    std::string called = fmt::format("{} {}", call.name, call.sequence);
    if (call.group != wait.group) called += " of group " + report.groups[call.group].name;
    std::string place = words::hang_place(call);
    if (!call.function.empty() && call.function != place) place += fmt::format(" ({})", call.function);
    out += fmt::format("  {:>5}  {:<9}  {:<32}  {}\n", call.rank, name_of_state(call.state), called,
                       place.empty() ? "not recorded" : place);
  }
  if (calls.size() > most_ranks_listed) out += fmt::format("  and {} more ranks\n", calls.size() - most_ranks_listed);
  return out;
}

std::string dumps_line(const HangReport& report) {
  std::size_t calls = 0;
  std::int64_t dropped = 0;
  for (std::size_t i = 0; i < report.ranks.size(); ++i) {
    calls += report.calls[i];
    dropped = std::max(dropped, report.dropped[i]);
  }
  std::string out =
      fmt::format("\n{} dump{} with {} calls in {} group{}", report.ranks.size(), report.ranks.size() == 1 ? "" : "s",
                  base::with_thousands(static_cast<std::int64_t>(calls)), report.groups.size(),
                  report.groups.size() == 1 ? "" : "s");
  if (dropped > 0)
    out += fmt::format("; up to {} calls of a rank came before them and are not in its dump",
                       base::with_thousands(dropped));
  return out + "\n";
}

}  // namespace

std::string hang_text(const words::Narration& words, const HangReport& report, std::string_view name) {
  std::string out = fmt::format("{}\n{}\n", name, words::hang_verdict(words, report));
  constexpr std::size_t most_waits = 8;
  for (std::size_t i = 0; i < std::min(report.waits.size(), most_waits); ++i) {
    const Wait& wait = report.waits[i];
    out += '\n';
    if (i > 0) out += words::wait_text(words, report, wait) + "\n";
    out += calls_table(report, wait);
  }
  if (report.waits.size() > most_waits)
    out += fmt::format("\nand {} more open calls\n", report.waits.size() - most_waits);
  out += dumps_line(report);
  if (report.problems.empty()) return out;
  out += "\nproblems\n";
  constexpr std::size_t most_lines = 20;
  for (std::size_t i = 0; i < std::min(report.problems.size(), most_lines); ++i)
    out += fmt::format("  {}\n", report.problems[i]);
  if (report.problems.size() > most_lines) out += fmt::format("  and {} more\n", report.problems.size() - most_lines);
  return out;
}

std::string hang_json(const words::Narration& words, const HangReport& report) {
  JsonWriter json;
  json.object([&] {
    json.text("verdict", words::hang_verdict(words, report));
    json.array("waits", report.waits,
               [&](const Wait& wait) { json.object([&] { write_hang_wait(json, words, report, wait); }); });
    json.integers("suspects", report.suspects, [](std::int64_t rank) { return rank; });
    std::size_t at = 0;
    json.array("dumps", report.ranks, [&](std::int64_t rank) {
      json.object([&] {
        json.integer("rank", rank);
        json.number("calls", report.calls[at]);
        json.integer("dropped", report.dropped[at]);
      });
      ++at;
    });
    json.integers("no_dump", report.no_dump, [](std::int64_t rank) { return rank; });
    json.array("problems", report.problems, [&](const std::string& problem) { json.text(problem); });
  });
  return json.document() + "\n";
}

}  // namespace warpwalk::verbs
