#include "core/words/advice_text.h"

#include "core/analysis/names/short_names.h"
#include "core/words/rank_text.h"

namespace warpwalk::words {
namespace {

std::string advised_place(const Narration& narration, const analysis::Advice& advice) {
  if (!advice.line.empty()) return advice.line;
  return advice.name.empty() ? narration.text("advice", "unrecorded") : advice.name;
}

// A kernel or copy with the line that launched it.
std::string advised_name(const Narration& narration, const analysis::Advice& advice) {
  constexpr std::size_t most_letters = 60;
  const std::string name = analysis::shortened(advice.name, most_letters);
  if (advice.line.empty()) return name;
  return narration.text("advice", "of_line", {{"name", name}, {"line", advice.line}});
}

}  // namespace

AdviceText advice_text(const Narration& narration, const analysis::Advice& advice, std::int64_t path) {
  const std::string_view key = name_of(advice.kind);
  const bool idle = advice.kind == analysis::AdviceKind::synchronise;
  const bool inside = advice.kind == analysis::AdviceKind::host && !advice.line.empty() && advice.name != advice.line;
  return {narration.text("advice.what", inside ? "host.in" : key,
                         {{"place", advised_place(narration, advice)},
                          {"name", inside ? advice.name : advised_name(narration, advice)},
                          {"time", short_time_text(advice.name_time)}}),
          narration.text("advice.action", key), narration.text("advice.unless", key),
          narration.text("advice", idle ? "basis.idle" : "basis.path", {{"span", short_time_text(path)}})};
}

}  // namespace warpwalk::words
