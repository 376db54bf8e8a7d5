// Fuzzes the reader of GPU core dumps, and what is found in them. Every input gives a result or one printable line.
// Called by libFuzzer or driver.cpp.
#include <cstdint>
#include <string_view>

#include "core/crash/diagnosis.h"
#include "core/crash/waits.h"
#include "tests/fuzz/require.h"

namespace warpwalk::crash {
namespace {

using fuzz::require;
using fuzz::require_line;

void try_dump(std::string_view bytes) {
  const auto dump = read_core_dump(bytes);
  if (!dump) {
    require_line(dump.error());
    return;
  }
  std::vector<Code> codes;
  codes.reserve(dump->devices.size());
  for (const DumpDevice& device : dump->devices) codes.emplace_back(device);
  if (const auto crash = find_crash(*dump, codes)) require(crash->thread.warp != nullptr, "a failure has a warp");
  for (const Wait& wait : find_waits(*dump, codes)) require(wait.threads > 0, "someone waits");
}

}  // namespace
}  // namespace warpwalk::crash

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpwalk::crash::try_dump({reinterpret_cast<const char*>(data), size});
  return 0;
}
