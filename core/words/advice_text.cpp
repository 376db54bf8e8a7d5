#include "core/words/advice_text.h"

#include <algorithm>

#include "core/analysis/names/short_names.h"
#include "core/base/quantity_text.h"
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

std::string_view basis_of(analysis::AdviceKind kind) {
  switch (kind) {
    case analysis::AdviceKind::synchronise: return "basis.wait";
    case analysis::AdviceKind::unrecorded_cpu: return "basis.idle";
    case analysis::AdviceKind::unrecorded_gpu: return "basis.unrecorded";
    default: return "basis.path";
  }
}

}  // namespace

AdviceText advice_text(const Narration& narration, const analysis::Advice& advice, std::int64_t path) {
  const std::string_view key = name_of(advice.kind);
  const bool inside = advice.kind == analysis::AdviceKind::host && !advice.line.empty() && advice.name != advice.line;
  const auto launches = static_cast<std::int64_t>(advice.launches);
  return {narration.text("advice.what", inside ? "host.in" : key,
                         {{"place", advised_place(narration, advice)},
                          {"name", inside ? advice.name : advised_name(narration, advice)},
                          {"time", short_time_text(advice.name_time)},
                          {"n", base::with_thousands(launches)},
                          {"each", short_time_text(advice.kernels / std::max<std::int64_t>(1, launches))}}),
          narration.text("advice.action", key), narration.text("advice.unless", key),
          narration.text("advice", basis_of(advice.kind), {{"span", short_time_text(path)}})};
}

}  // namespace warpwalk::words
