#include "core/story/facts/memory/memory_text.h"

#include <fmt/format.h>

#include "core/story/elements/figure.h"

namespace warpwalk::story {

std::string address_text(std::uint64_t address) { return fmt::format("0x{:x}", address); }
std::string full_bytes(std::int64_t bytes) { return with_thousands(bytes) + " B"; }

}  // namespace warpwalk::story
