#include "core/story/facts/launch/shared_bytes.h"

#include "core/story/elements/figure.h"

namespace warpwalk::story {

std::string shared_bytes_text(std::int64_t bytes) {
  if (bytes >= 1024 && bytes % 1024 == 0) return with_thousands(bytes / 1024) + " KiB";
  return with_thousands(bytes) + " B";
}

}  // namespace warpwalk::story
