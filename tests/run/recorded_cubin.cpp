#include "tests/run/recorded_cubin.h"

#include <stdexcept>
#include <utility>

#include "core/platform/read_file.h"

namespace warpwalk::testing {

std::string recorded_cubin(const std::filesystem::path& ptx) {
  const std::filesystem::path assets = WARPWALK_SOURCE_DIR "/assets";
  std::error_code ignored;
  const bool shipped = std::filesystem::equivalent(ptx.parent_path(), assets / "ptx", ignored);
  const std::filesystem::path folder = shipped ? assets / "cubin/sm_90" : ptx.parent_path();
  auto read = platform::read_compressed_file(folder / (ptx.stem().string() + ".cubin.gz"));
  if (!read) throw std::runtime_error(read.error());
  return std::move(read->text);
}

}  // namespace warpwalk::testing
