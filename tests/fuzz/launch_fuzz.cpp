// Fuzzes the launch file parser with arbitrary text. It must either reject the text with a one-line error, or return
// values within the limits of the code that uses them.
#include <cstdint>
#include <string_view>

#include "core/run/launch/bind.h"
#include "core/run/launch/launch_file.h"
#include "tests/fuzz/require.h"

namespace {

using warpwalk::fuzz::require;

using namespace std::string_view_literals;

warpwalk::gpu::Device small_device() {
  warpwalk::gpu::Device device;
  device.name = "small";
  device.threads_per_block.value = 1024;
  device.registers_per_thread.value = 255;
  device.shared_per_block_optin.value = 232448;
  device.memory_bytes.value = 1 << 16;
  return device;
}

void check(const warpwalk::run::LaunchFile& file) {
  require(!file.kernel.empty() && (!file.ptx.empty() || !file.cuda.empty() || !file.cubin.empty()),
          "a file without kernel or module was accepted");
  require(file.cuda.empty() || (file.ptx.empty() && file.cubin.empty()), "CUDA C++ beside another module");
  for (const auto& argument : file.arguments) {
    if (argument.buffer) {
      require(*argument.buffer < file.buffers.size(), "an argument names a buffer that is not there");
      require(argument.offset <= file.buffers[*argument.buffer].bytes(), "an offset lies beyond its buffer");
    } else {
      require(!argument.bytes.empty(), "an argument without bytes was accepted");
    }
  }
  for (const auto& expect : file.expects) require(expect.buffer < file.buffers.size(), "an expectation of no buffer");
  // If the launch fits a small GPU, its buffers are generated; files are not read.
  static const warpwalk::gpu::Device device = small_device();
  if (!warpwalk::run::check_limits(file, device, 1 << 16)) return;
  for (const auto& buffer : file.buffers) {
    require(buffer.count > 0 && buffer.bytes() <= 1 << 16, "a buffer beyond the limit was accepted");
    if (std::holds_alternative<std::filesystem::path>(buffer.content)) continue;
    const auto content = warpwalk::run::content_of(buffer, buffer.content, {});
    require(content && content->size() == buffer.bytes(), "a buffer has another size");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = warpwalk::run::parse_launch_file({reinterpret_cast<const char*>(data), size}, "launch.json");
  if (parsed) {
    check(*parsed);
  } else {
    require(parsed.error().starts_with("launch.json: "), "an error does not name the file");
    require(parsed.error().find_first_of("\n\r\0"sv) == std::string::npos, "an error is more than one line");
    require(parsed.error().size() < 100000, "an error is endless");
  }
  return 0;
}
