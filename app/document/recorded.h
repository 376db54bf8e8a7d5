#pragma once

#include "app/document/document.h"

namespace warpwalk::document {

/// The launch recorded with its memory that is followed first: of those that were recorded completely the one that took
/// longest. no_slice if none was recorded.
story::SliceId first_recorded(const Document& document);

/// The recorded launch to go to from the followed work: from a recorded one the next one, after the last one the first;
/// from another one the nearest of the same kernel, else first_recorded().
story::SliceId recorded_from(const Document& document, story::SliceId followed);

/// Whether this work is a launch that was recorded with its memory.
bool is_recorded(const Document& document, story::SliceId work);

}  // namespace warpwalk::document
