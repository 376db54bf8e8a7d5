#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::simulated {

/// One image of a fat binary.
struct CodeImage {
  bool is_ptx = false;             ///< else a cubin
  std::uint32_t architecture = 0;  ///< 90 for sm_90 or compute_90
  std::string bytes;               ///< decompressed
};

/// Reads what nvcc embeds into programs, or what a program passes to cuModuleLoadData: a fat binary, a cubin (ELF) or
/// PTX as text that ends with a zero byte. The size is in the data, as in CUDA's interface. The layout of a fat binary
/// was read off the files that nvcc 12 and 13 write; images may be compressed with LZ4 or Zstandard. On failure,
/// returns a one-line error.
base::Result<std::vector<CodeImage>> read_code(const void* data);

/// An ELF file that holds PTX, for the linker where there is no ptxas: read_code() returns its PTX.
std::string elf_of_ptx(std::string_view ptx);

/// Bytes of the ELF file that starts here, from its headers.
std::size_t elf_bytes(const void* data);

}  // namespace warpwalk::simulated
