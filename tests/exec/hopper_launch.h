#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/exec/launch.h"

/// Launches of the recorded kernels for sm_90a, as cubins or as PTX (cubins/README.md), and the recorded data of an
/// H200 (data/README.md).
namespace warpwalk::testing {

std::string bytes_of_file(const std::string& path_in_tests_exec);

/// Reads values and bytes one after another.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  std::vector<std::uint8_t> take(std::size_t count);
  std::uint32_t word();

 private:
  std::string_view bytes_;
};

gpu::Argument buffer_argument(std::int32_t index);
gpu::Argument number_argument(std::uint32_t value);
/// A tensor map of bf16 numbers in two dimensions: sizes and box in elements, innermost first, stride in bytes.
/// swizzle: 0, or 1 to 3 for 32 to 128 bytes.
gpu::Argument map_argument(std::uint64_t address, std::array<std::uint32_t, 2> sizes, std::uint32_t stride,
                           std::array<std::uint32_t, 2> box, unsigned swizzle);

enum class Code { machine_code, ptx };
constexpr Code codes[] = {Code::machine_code, Code::ptx};

/// A kernel of tests/exec/cubins, or of the PTX in tests/exec/kernels.
base::Result<std::shared_ptr<const gpu::Program>> program_of(Code code, const std::string& file,
                                                             const std::string& kernel);

/// Simulates such a kernel with the sanitizer. Returns its findings,
/// e.g. "misaligned: thread (0,0,0) of ..."; a failure to run is one, too.
std::vector<std::string> run_code(Code code, const std::string& file, const std::string& kernel, gpu::Launch& launch);

}  // namespace warpwalk::testing
