#include "core/trace/ranks.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "core/trace/json/numbers.h"

namespace warpwalk::trace {
namespace {

constexpr std::string_view rank_separators = " _-:/=";

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// The text before the number at the end of a pid, e.g. "TP00" of "TP00 700".
std::string_view before_number(std::string_view pid) {
  const std::size_t last = pid.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == pid.size()) return {};
  const std::size_t end = pid.substr(0, last + 1).find_last_not_of(rank_separators);
  return end == std::string_view::npos ? std::string_view() : pid.substr(0, end + 1);
}

}  // namespace

std::string_view rank_name(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    return close == std::string_view::npos || close == 1 ? std::string_view() : text.substr(0, close + 1);
  }
  constexpr std::string_view word = "rank";
  if (lower_case(text.substr(0, word.size())) != word) return {};
  const std::size_t digits = text.find_first_not_of(rank_separators, word.size());
  if (digits == std::string_view::npos || !is_digit(text[digits])) return {};
  const std::size_t end = text.find_first_not_of("0123456789", digits);
  return text.substr(0, end);
}

Ranks::Ranks(const Trace& trace) : of_track_(trace.tracks.size()) {
  struct Sides {
    bool cpu = false, gpu = false;
    std::uint32_t number = 0;
  };
  std::map<std::string, Sides> names;
  std::vector<std::string> name_of_track(trace.tracks.size());
  for (TrackId id = 0; id < trace.tracks.size(); ++id) {
    const Track& track = trace.tracks[id];
    std::string_view name = track.pid_is_text ? rank_name(trace.text(track.pid)) : std::string_view();
    if (name.empty() && track.pid_is_text) name = before_number(trace.text(track.pid));
    if (name.empty()) name = rank_name(trace.text(track.process_labels));
    if (name.empty()) name = rank_name(trace.text(track.process_name));
    if (name.empty()) continue;
    name_of_track[id] = lower_case(name);
    Sides& sides = names[name_of_track[id]];
    (track.gpu ? sides.gpu : sides.cpu) = true;
  }
  std::uint32_t ranks = 0;
  for (auto& [name, sides] : names)
    if (sides.cpu && sides.gpu) sides.number = ++ranks;
  merged_ = ranks > 1;
  if (!merged_) return;
  for (TrackId id = 0; id < trace.tracks.size(); ++id) {
    if (name_of_track[id].empty()) continue;
    of_track_[id] = names[name_of_track[id]].number;
    if (trace.tracks[id].pid_is_text) of_pid_[trace.tracks[id].pid] = of_track_[id];
  }
}

std::uint32_t Ranks::of_pid(StringId pid) const {
  const auto found = of_pid_.find(pid);
  return found == of_pid_.end() ? 0 : found->second;
}

}  // namespace warpwalk::trace
