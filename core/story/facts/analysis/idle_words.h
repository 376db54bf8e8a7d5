#pragma once

#include <string>

#include "core/story/elements/narration.h"
#include "core/story/facts/analysis/idle.h"

namespace warpwalk::story {

/// The words of a cause: "launched too late".
std::string cause_text(const Narration& narration, IdleCause cause);
/// The verdict as a sentence with its shares.
std::string verdict_text(const Narration& narration, const IdleReport& report);
/// "12.3 %", or "< 0.1 %" for what is not nothing but would be shown as such.
std::string share_text(std::int64_t part, std::int64_t whole);

}  // namespace warpwalk::story
