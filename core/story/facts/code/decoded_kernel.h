#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"
#include "core/trace/records.h"

namespace warpwalk::story {

/// A kernel's machine code, decoded from the cubin in its module.
struct DecodedKernel {
  sass::Cubin cubin;  ///< its views point into the module's bytes
  const sass::CubinFunction* function = nullptr;
  std::vector<sass::Decoded> code;

  DecodedKernel() = default;
  DecodedKernel(DecodedKernel&&) = default;  // keeps `function` valid: the functions stay where they are
  DecodedKernel& operator=(DecodedKernel&&) = default;

  /// The text of an instruction; for one that is not known, its encoding in hexadecimal.
  std::string text(std::size_t instruction) const;
};

/// Finds an entry in the module's cubin and decodes it; nullopt if the module has no cubin, if it cannot be read, or if
/// the entry is not in it. At most `max_instructions` are decoded.
std::optional<DecodedKernel> decoded_kernel(const trace::Module& module, std::string_view entry,
                                            std::size_t max_instructions = 20000);

/// The lines that each instruction comes from, one row per instruction, as the cubin's line tables have them. Source
/// lines are those of `source_file`, compared without folders; if it is empty, of the file that contains the kernel.
std::vector<trace::LineMapRow> line_map(const DecodedKernel& kernel, std::string_view source_file);

}  // namespace warpwalk::story
