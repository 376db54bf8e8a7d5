#pragma once

#include <string>

#include "core/analysis/predict/prediction.h"
#include "core/words/narration.h"

namespace warpwalk::words {

/// A change of a program: "The step is one CUDA graph".
std::string change_text(const Narration& narration, const analysis::Change& change);
/// The prediction in a sentence, with its range; or why there is none.
std::string prediction_text(const Narration& narration, const analysis::Prediction& prediction);

}  // namespace warpwalk::words
