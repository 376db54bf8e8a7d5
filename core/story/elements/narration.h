#pragma once

#include "core/words/narration.h"

namespace warpwalk::story {

using words::count_text;
using words::Narration;

}  // namespace warpwalk::story
