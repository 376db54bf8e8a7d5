#include "tests/story/file_contents.h"

#include <gtest/gtest.h>

#include "core/platform/byte_source.h"

namespace warpwalk::story::testing {

std::string file_contents(const std::string& file) {
  const auto opened = platform::open_source(std::string(WARPWALK_SOURCE_DIR) + "/" + file);
  EXPECT_FALSE(opened.error) << file;
  if (opened.error) return {};
  std::string text, block(std::size_t{1} << 16, '\0');
  while (const std::size_t count = opened.source->read(block.data(), block.size())) text.append(block, 0, count);
  return text;
}

}  // namespace warpwalk::story::testing
