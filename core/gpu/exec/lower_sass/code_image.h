#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/instruction.h"

namespace warpwalk::gpu {

/// The machine code that a kernel can reach, as one range of addresses: the kernel's section at 0, then the sections of
/// the functions that it calls or whose addresses it can take.
struct CodeImage {
  struct Part {
    const sass::CubinFunction* function = nullptr;
    std::uint64_t begin = 0, end = 0;  ///< addresses
  };
  std::vector<Part> parts;
  /// One instruction per 16 bytes. Their targets are addresses of the image.
  std::vector<sass::Instruction> code;
  /// One flag per instruction. Unreachable instructions may be unknown.
  std::vector<std::uint8_t> reachable;
  /// The name of the function that the CALL.ABS at an address calls.
  std::map<std::uint64_t, std::string_view> callees;
  /// The start addresses of the parts.
  std::map<std::string_view, std::uint64_t> functions;
  /// The address operands of ATOMS.ARRIVE: mbarriers of architectures before sm_90.
  std::vector<sass::Operand> mbarriers;

  /// The part that contains an address.
  const Part& part_at(std::uint64_t address) const;
};

/// The value of a symbol that is not a function of the image; nothing if it has none.
using SymbolValue = std::function<std::optional<std::uint64_t>(std::string_view)>;

/// Collects and decodes the code. Addresses of functions are `code_base` plus their address in the image. `functions`
/// are those whose addresses launches pass. On failure, returns a one-line message that names the kernel's unknown
/// instruction or symbol.
base::Result<CodeImage> make_code_image(const sass::Cubin& cubin, const sass::CubinFunction& kernel,
                                        std::uint64_t code_base, const SymbolValue& value_of,
                                        std::span<const std::string> functions = {});

}  // namespace warpwalk::gpu
