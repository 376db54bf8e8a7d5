#include "core/story/facts/words/fact_writer.h"

#include <fmt/format.h>

namespace warpwalk::story {

std::string FactWriter::word(std::string_view kind, std::string_view key) const {
  const std::string own = fmt::format("{}.{}", stage_.scene, kind);
  return narration_.text(narration_.has(own, key) ? std::string_view(own) : kind, key, values_);
}

void FactWriter::missing_times(const Walk& walk) {
  switch (time_record_of(trace_, walk)) {
    case TimeRecord::timed: return;
    case TimeRecord::unclocked: return missing("times_unclocked");
    case TimeRecord::unrecorded: return missing("times_unrecorded");
  }
}

}  // namespace warpwalk::story
