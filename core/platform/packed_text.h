#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::platform {

/// A text as one word that can be pasted into a form or a mail: `NAME.SIZE.DATA~`. DATA is the text compressed
/// (deflate.h), in the base64 of URLs (RFC 4648, section 5). SIZE is the number of bytes of the text.
std::string packed_text(std::string_view name, std::string_view text);

/// The first packed text of this name in a larger text, such as a mail or a web page; line breaks in it do not matter.
/// Nullopt if there is none. On failure, a sentence without its full stop: it is damaged, or holds more than
/// `most_bytes`.
std::optional<base::Result<std::string>> find_packed_text(std::string_view text, std::string_view name,
                                                          std::size_t most_bytes);

}  // namespace warpwalk::platform
