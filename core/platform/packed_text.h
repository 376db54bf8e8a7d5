#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::platform {

/// A text as one word that can be pasted into a form or a mail: `NAME.SIZE.DATA~`. DATA is the text compressed
/// (deflate.h), in the base64 of URLs (RFC 4648, section 5). SIZE is the number of bytes of the text.
std::string packed_text(std::string_view name, std::string_view text);

/// The packed texts of this name in a larger text, such as a mail or a web page, in their order; line breaks in them do
/// not matter. Of one that is damaged or holds more than what is left of `most_bytes` for all of them, a sentence without
/// its full stop that says so.
std::vector<base::Result<std::string>> packed_texts(std::string_view text, std::string_view name,
                                                    std::size_t most_bytes);

}  // namespace warpwalk::platform
