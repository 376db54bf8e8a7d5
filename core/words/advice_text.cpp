#include "core/words/advice_text.h"

#include "core/base/quantity_text.h"

namespace warpwalk::words {
namespace {

std::string advised_place(const Narration& narration, const analysis::Advice& advice) {
  if (!advice.line.empty()) return advice.line;
  return advice.name.empty() ? narration.text("advice", "unrecorded") : advice.name;
}

// A kernel or copy with the line that launched it.
std::string advised_name(const Narration& narration, const analysis::Advice& advice) {
  if (advice.line.empty()) return advice.name;
  return narration.text("advice", "of_line", {{"name", advice.name}, {"line", advice.line}});
}

}  // namespace

AdviceText advice_text(const Narration& narration, const analysis::Advice& advice, std::int64_t path) {
  const std::string_view key = name_of(advice.kind);
  const bool idle = advice.kind == analysis::AdviceKind::synchronise;
  return {narration.text("advice.what", key,
                         {{"place", advised_place(narration, advice)}, {"name", advised_name(narration, advice)}}),
          narration.text("advice.action", key), narration.text("advice.unless", key),
          narration.text("advice", idle ? "basis.idle" : "basis.path",
                         {{"span", base::time_text(static_cast<double>(path))}})};
}

}  // namespace warpwalk::words
