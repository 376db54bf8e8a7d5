// Hanging ranks in words.
#include "core/words/hang_text.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/words/rank_text.h"

namespace warpwalk::words {
namespace {

using analysis::HangCall;
using analysis::HangReport;
using analysis::Mismatch;
using analysis::MismatchKind;
using analysis::Wait;
using trace::flight::State;

// A sentence that begins with a value of the narration.
std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// Sentences about one report.
class HangWords {
 public:
  HangWords(const Narration& narration, const HangReport& report) : narration_(narration), report_(report) {}

  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return narration_.text("ranks.hang", key, values);
  }
  std::string sentence(std::string_view key, const Narration::Values& values) const {
    return capital(word(key, values));
  }
  std::string by_count(std::string_view key, std::size_t count) const {
    return word(fmt::format("{}_{}", key, count == 1 ? "one" : "more"));
  }
  std::string ranks(const std::vector<std::int64_t>& list) const { return rank_list(narration_, list); }

  // "all_reduce 17 of group 0 (default_pg)", "recv from rank 1 in group 0".
  std::string call(std::string_view name, std::int64_t sequence, std::size_t group, bool message) const {
    const std::string of = hang_group(narration_, report_.groups[group]);
    if (message) return word("message", {{"message", std::string(name)}, {"group", of}});
    return word("call", {{"collective", std::string(name)}, {"sequence", fmt::to_string(sequence)}, {"group", of}});
  }
  std::string call(const HangCall& one) const {
    const bool message = one.name.starts_with("send to") || one.name.starts_with("recv from");
    return placed(call(one.name, one.sequence, one.group, message), one);
  }
  std::string call(const Wait& wait) const { return call(wait.collective, wait.sequence, wait.group, wait.message); }
  std::string placed(const std::string& text, const HangCall& call) const {
    const std::string place = hang_place(call);
    return place.empty() ? text : word("at", {{"text", text}, {"place", place}});
  }
  // The call in which ranks wait, with the line of the first of them.
  std::string waiting_call(const Wait& wait) const {
    const auto first = first_waiting(wait);
    return first ? placed(call(wait), *first) : call(wait);
  }
  std::string since(const Wait& wait) const {
    return wait.since() == 0 ? word("since_unknown") : word("since", {{"time", moment_text(wait.since())}});
  }

  std::string missing(const Wait& wait) const {
    if (wait.circle) return circle(wait);
    std::string called = call(wait);
    if (wait.message) {
      const std::string other = ranks({wait.calls.front().rank});
      called = word(wait.collective.starts_with("recv") ? "send" : "recv", {{"rank", other}});
      called = word("message", {{"message", called}, {"group", hang_group(narration_, report_.groups[wait.group])}});
    }
    std::string waited = since(wait);
    if (const auto first = first_waiting(wait)) waited = placed(waited, *first);
    return sentence("missing", {{"missing", ranks(wait.missing)},
                                {"call", called},
                                {"waiting", ranks(wait.waiting)},
                                {"has", by_count("has", wait.waiting.size())},
                                {"since", waited}}) +
           instead(wait);
  }

  std::string mismatch(const Wait& wait) const {
    const Mismatch& found = *wait.mismatch;
    std::string sides;
    for (std::size_t i = 0; i < std::min<std::size_t>(found.sides.size(), 3); ++i) {
      const HangCall& side = found.sides[i];
      std::string what = side.name;
      if (found.kind == MismatchKind::size || found.kind == MismatchKind::type)
        what = word("side_tensor", {{"collective", side.name}, {"tensor", tensor(found, side)}});
      sides += (i == 0 ? "" : ", ") + word("side", {{"ranks", ranks(found.ranks[i])}, {"what", placed(what, side)}});
    }
    std::string text = sentence(fmt::format("mismatch_{}", name_of(found.kind)),
                                {{"sequence", fmt::to_string(found.sequence)},
                                 {"group", hang_group(narration_, report_.groups[wait.group])},
                                 {"call", call(found.sides.front().name, found.sequence, wait.group, wait.message)},
                                 {"sides", sides}});
    if (wait.waiting.empty()) return text + " " + word("mismatch_complete");
    return text + " " +
           sentence(found.sequence == wait.sequence || wait.message ? "mismatch_open" : "mismatch_later",
                    {{"waiting", ranks(wait.waiting)},
                     {"has", by_count("has", wait.waiting.size())},
                     {"call", call(wait)},
                     {"since", since(wait)}});
  }

  std::string unexplained(const Wait& wait) const {
    const Narration::Values values = {{"waiting", ranks(wait.waiting)}, {"has", by_count("has", wait.waiting.size())},
                                      {"call", waiting_call(wait)},     {"since", since(wait)},
                                      {"unknown", ranks(wait.unknown)}, {"unsure", ranks(wait.unsure)}};
    if (!wait.unknown.empty()) return sentence("unknown", values);
    if (!wait.unsure.empty()) return sentence("unsure", values);
    return sentence("all_called", values) + " " + progress(wait);
  }

 private:
  static std::optional<HangCall> first_waiting(const Wait& wait) {
    for (const HangCall& one : wait.calls)
      if (one.state != State::completed) return one;
    return {};
  }

  // How far a call has come that all ranks have made.
  std::string progress(const Wait& wait) const {
    std::vector<std::int64_t> started, scheduled;
    bool timed = false;
    for (const HangCall& one : wait.calls) {
      timed = timed || one.timed;
      if (one.state == State::started) started.push_back(one.rank);
      if (one.state == State::scheduled) scheduled.push_back(one.rank);
    }
    std::string text;
    if (wait.stopped()) return word("stopped", {{"complete", ranks(wait.complete)}, {"waiting", ranks(wait.waiting)}});
    if (!timed)
      text = word("start_unknown");
    else if (scheduled.empty())
      text = word("started");
    else if (started.empty() && wait.complete.empty())
      text = word("not_started_anywhere");
    else
      text = word("not_started",
                  {{"started", ranks(started.empty() ? wait.complete : started)}, {"scheduled", ranks(scheduled)}});
    if (!wait.complete.empty()) text += " " + word("complete_on", {{"complete", ranks(wait.complete)}});
    return text;
  }

  // Where the missing ranks are instead.
  std::string instead(const Wait& wait) const {
    constexpr std::size_t most = 3;
    const auto complete = [](const std::optional<HangCall>& one) { return one && one->state == State::completed; };
    const auto alike = [&](const std::optional<HangCall>& one) {
      return complete(one) && call(*one) == call(*wait.instead.front());
    };
    if (wait.missing.size() > 1 && std::ranges::all_of(wait.instead, alike))
      return " " + sentence("instead_all", {{"ranks", ranks(wait.missing)}, {"call", call(*wait.instead.front())}});
    std::string text;
    for (std::size_t i = 0; i < std::min(wait.instead.size(), most); ++i) {
      const std::optional<HangCall>& one = wait.instead[i];
      text += " " + sentence(!one            ? "instead_nothing"
                             : complete(one) ? "instead_complete"
                                             : "instead_waits",
                             {{"rank", ranks({wait.missing[i]})}, {"call", one ? call(*one) : std::string()}});
    }
    return text;
  }

  std::string circle(const Wait& wait) const {
    std::vector<const Wait*> members = {&wait};
    std::set<std::int64_t> all(wait.waiting.begin(), wait.waiting.end());
    // Along the first wait of each that leads on within the circle.
    for (const Wait* at = &wait; members.size() < 4;) {
      const auto next = std::ranges::find_if(at->because_of, [&](std::size_t i) { return report_.waits[i].circle; });
      if (next == at->because_of.end() || &report_.waits[*next] == &wait) break;
      at = &report_.waits[*next];
      members.push_back(at);
      all.insert(at->waiting.begin(), at->waiting.end());
    }
    std::string parts;
    for (const Wait* const one : members)
      parts += (parts.empty() ? "" : "; ") + word("circle_part", {{"waiting", ranks(one->waiting)},
                                                                  {"waits", by_count("waits", one->waiting.size())},
                                                                  {"call", waiting_call(*one)},
                                                                  {"missing", ranks(one->missing)},
                                                                  {"has", by_count("has", one->missing.size())}});
    return sentence("circle", {{"ranks", ranks({all.begin(), all.end()})}, {"parts", parts}});
  }

  // What differs between the sides.
  static std::string tensor(const Mismatch& found, const HangCall& side) {
    const HangCall& first = found.sides.front();
    const bool message = first.name.starts_with("send to");
    const auto differs = [&](std::string HangCall::*member) {
      return std::ranges::any_of(found.sides, [&](const HangCall& one) { return one.*member != first.*member; });
    };
    if (found.kind == MismatchKind::size) {
      if (message || !differs(&HangCall::input_sizes)) return side.output_sizes;
      return side.input_sizes;
    }
    return message || !differs(&HangCall::input_types) ? side.output_types : side.input_types;
  }

  const Narration& narration_;
  const HangReport& report_;
};

}  // namespace

std::string rank_list(const Narration& narration, const std::vector<std::int64_t>& ranks) {
  const auto word = [&](std::string_view key, const Narration::Values& values) {
    return narration.text("ranks.hang", key, values);
  };
  if (ranks.size() == 1) return word("rank", {{"n", fmt::to_string(ranks.front())}});
  std::vector<std::string> pieces;
  std::size_t left_out = 0;
  constexpr std::size_t most_pieces = 8;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (end - i < 3) end = i + 1;
    if (pieces.size() == most_pieces) {
      left_out = ranks.size() - i;
      break;
    }
    pieces.push_back(end - i == 1 ? fmt::to_string(ranks[i])
                                  : word("list_to", {{"first", fmt::to_string(ranks[i])},
                                                     {"last", fmt::to_string(ranks[end - 1])}}));
    i = end;
  }
  std::string list = pieces.empty() ? std::string() : pieces.front();
  const std::size_t before_last = left_out > 0 || pieces.empty() ? pieces.size() : pieces.size() - 1;
  for (std::size_t i = 1; i < before_last; ++i) list += ", " + pieces[i];
  if (left_out > 0)
    list = word("list_more", {{"list", list}, {"n", fmt::to_string(left_out)}});
  else if (pieces.size() > 1)
    list = word("list_and", {{"list", list}, {"last", pieces.back()}});
  return word("ranks", {{"list", list}});
}

std::string hang_group(const Narration& narration, const analysis::HangGroup& group) {
  if (group.description.empty() || group.description == "undefined")
    return narration.text("ranks.hang", "group_plain", {{"name", group.name}});
  return narration.text("ranks.hang", "group", {{"name", group.name}, {"description", group.description}});
}

std::string hang_place(const HangCall& call) {
  if (call.file.empty()) return call.function;
  const std::string name = std::filesystem::path(call.file).filename().string();
  return call.line > 0 ? fmt::format("{}:{}", name, call.line) : name;
}

std::string moment_text(std::int64_t ns) {
  const std::time_t seconds = ns / 1'000'000'000;
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return fmt::to_string(ns);
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", parts);
}

std::string wait_text(const Narration& narration, const HangReport& report, const Wait& wait) {
  const HangWords words(narration, report);
  std::string text = wait.mismatch           ? words.mismatch(wait)
                     : !wait.missing.empty() ? words.missing(wait)
                                             : words.unexplained(wait);
  if (wait.mismatch && !wait.missing.empty()) text += " " + words.missing(wait);
  if (!wait.unknown.empty() && (wait.mismatch || !wait.missing.empty()))
    text += " " + words.word("no_dump", {{"unknown", words.ranks(wait.unknown)}});
  const auto timed_out = std::ranges::find_if(wait.calls, &HangCall::timed_out);
  if (timed_out != wait.calls.end())
    text += " " +
            words.word(wait.waiting.size() == 1 ? "timed_out_one" : "timed_out",
                       {{"timeout", short_time_text(std::clamp<std::int64_t>(timed_out->timeout_ms, 0, 1'000'000'000) *
                                                    1'000'000)}});
  if (wait.behind == 1) text += " " + words.word("behind_one");
  if (wait.behind > 1)
    text += " " + words.word("behind_more", {{"n", base::with_thousands(static_cast<std::int64_t>(wait.behind))}});
  return text;
}

std::string hang_verdict(const Narration& narration, const HangReport& report) {
  const HangWords words(narration, report);
  if (!report.waits.empty()) {
    std::string text = wait_text(narration, report, report.waits.front());
    const Wait& first = report.waits.front();
    if (report.suspects.size() > std::max(first.missing.size(), first.stopped() ? first.waiting.size() : 0))
      text += " " + words.word("suspects", {{"ranks", words.ranks(report.suspects)}});
    const std::size_t more = report.waits.size() - 1;
    if (more == 1) text += " " + words.word("others_one");
    if (more > 1)
      text += " " + words.word("others_more", {{"n", base::with_thousands(static_cast<std::int64_t>(more))}});
    return text;
  }
  if (!report.last) {
    const bool any = std::ranges::any_of(report.calls, [](std::size_t calls) { return calls > 0; });
    return words.word(any ? "nothing_active" : "empty");
  }
  return words.word(report.no_dump.empty() ? "nothing" : "nothing_some",
                    {{"call", words.call(*report.last)}, {"unknown", words.ranks(report.no_dump)}});
}

}  // namespace warpwalk::words
