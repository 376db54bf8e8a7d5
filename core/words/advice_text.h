#pragma once

#include <string>

#include "core/analysis/time/advice.h"
#include "core/words/narration.h"

namespace warpwalk::words {

/// A change in words.
struct AdviceText {
  std::string what;    ///< "train.py(12): step works on the CPU, and everything waits for it"
  std::string action;  ///< what to do
  std::string unless;  ///< when that does not help
  std::string basis;   ///< of the bound
};
/// `path`: the length of the critical path, ns.
AdviceText advice_text(const Narration& narration, const analysis::Advice& advice, std::int64_t path);

}  // namespace warpwalk::words
