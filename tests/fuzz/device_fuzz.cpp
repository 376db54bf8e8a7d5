// Fuzzes the reader of GPU descriptions: it must either refuse the text in one line or return a description in which
// all required parameters are known. Called by libFuzzer or driver.cpp.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/gpu/device/device_file.h"
#include "tests/fuzz/require.h"

namespace {

using warpwalk::fuzz::require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Every base is the description itself, so that a description with a base forms a cycle.
  const auto device = warpwalk::gpu::parse_device(
      text, "device.json", [&](std::string_view) { return std::optional<std::string>(std::string(text)); });
  if (!device) {
    require(!device.error().empty() && device.error().find('\n') == std::string::npos, "a refusal is one line");
    return 0;
  }
  require(static_cast<bool>(device->sm_count) && static_cast<bool>(device->warps_per_sm),
          "required parameters are known");
  return 0;
}
