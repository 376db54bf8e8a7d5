#include "tests/sass/recorded.h"

#include <algorithm>
#include <charconv>

#include "core/base/text.h"
#include "core/platform/byte_source.h"

namespace warpwalk::sass {
namespace {

std::uint64_t take_hex(std::string_view& line) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(line.data(), line.data() + line.size(), value, 16);
  line.remove_prefix(static_cast<std::size_t>(result.ptr - line.data()));
  if (!line.empty()) line.remove_prefix(1);
  return value;
}

}  // namespace

std::string read_data(const std::string& name) {
  const auto opened = platform::open_source(std::string(WARPWALK_SOURCE_DIR) + "/tests/sass/data/" + name);
  if (!opened) return {};
  std::string text;
  std::string block(std::size_t{1} << 16, '\0');
  while (const std::size_t count = (*opened)->read(block.data(), block.size())) text.append(block, 0, count);
  return text;
}

std::vector<Recorded> parse_recorded(std::string_view contents) {
  std::vector<Recorded> recorded;
  for (std::string_view line : base::lines_of(contents)) {
    const std::uint64_t mask = take_hex(line);
    Recorded one;
    one.encoding.high = take_hex(line);
    one.encoding.low = take_hex(line);
    one.address = take_hex(line);
    one.text = line;
    for (std::size_t i = 0; i < architecture_count; ++i) {
      if ((mask >> i & 1) == 0) continue;
      one.architecture = static_cast<Architecture>(i);
      recorded.push_back(one);
    }
  }
  return recorded;
}

}  // namespace warpwalk::sass
