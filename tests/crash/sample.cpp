#include "tests/crash/sample.h"

#include <gtest/gtest.h>

#include "core/platform/byte_source.h"

namespace warpwalk::crash {

std::string sample_bytes(const std::string& name) {
  const auto opened = platform::open_source(std::string(WARPWALK_SOURCE_DIR) + "/tests/crash/data/" + name);
  if (!opened) return {};
  std::string text, block(std::size_t{1} << 16, '\0');
  while (const std::size_t count = (*opened)->read(block.data(), block.size())) text.append(block, 0, count);
  return text;
}

Sample::Sample(const std::string& name) : bytes(sample_bytes(name + ".core.gz")) {
  auto read = read_core_dump(bytes);
  if (!read) {
    ADD_FAILURE() << name << ": " << read.error();
    return;
  }
  dump = *std::move(read);
  codes.reserve(dump.devices.size());
  for (const DumpDevice& device : dump.devices) codes.emplace_back(device);
  crash = find_crash(dump, codes);
  waits = find_waits(dump, codes);
}

}  // namespace warpwalk::crash
