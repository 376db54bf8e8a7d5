// Fuzzes the cubin reader, the reader of debug information and the instruction decoder with arbitrary bytes, once as a
// cubin and once as machine code for each architecture. Every input gives a result or one printable line. Called by
// libFuzzer or driver.cpp.
#include <cstdint>
#include <string_view>

#include "core/sass/dwarf/location.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"
#include "core/sass/text.h"
#include "tests/fuzz/require.h"

namespace warpwalk::sass {
namespace {

using fuzz::require;
using fuzz::require_line;

constexpr std::size_t longest_code = 4096;  // bytes: an input of machine code needs no more to be interesting

void try_code(Architecture architecture, std::string_view code) {
  for (const Decoded& decoded : decode(architecture, code.substr(0, longest_code))) {
    if (const auto* unknown = std::get_if<UnknownInstruction>(&decoded))
      require_line(unknown->what);
    else
      require(!text_of(std::get<Instruction>(decoded), architecture).empty(), "an instruction has a text");
  }
}

void try_cubin(std::string_view bytes) {
  const auto parsed = parse_cubin(bytes);
  if (!parsed) {
    require_line(parsed.error());
    return;
  }
  const Cubin& cubin = *parsed;
  for (const CubinFunction& function : cubin.functions) {
    try_code(cubin.architecture, function.code);
    for (std::uint64_t address = 0; address < function.code.size() && address < longest_code;
         address += instruction_bytes) {
      source_positions(cubin, function, address);
      ptx_line(function, address);
    }
  }
}

void try_debug_information(DebugSections sections) {
  const DebugInfo info = read_debug_info(std::move(sections));
  LocationContext thread;
  thread.register_value = [](std::string_view) { return std::uint64_t{1}; };
  thread.word = [](MemoryClass, std::string_view, std::uint64_t) { return std::uint64_t{2}; };
  for (const DebugScope& scope : info.scopes)
    for (const DebugVariable& variable : scope.variables) {
      info.name_of_type(variable.type);
      info.bytes_of_type(variable.type);
      for (const DebugLocation& location : variable.locations)
        evaluate_location(info, variable, location.expression, thread);
    }
}

void try_bytes(std::string_view bytes) {
  try_cubin(bytes);
  try_debug_information(debug_sections_of_cubin(bytes));
  try_debug_information(debug_sections_of_ptx(bytes));
  for (std::size_t i = 0; i < architecture_count; ++i) try_code(static_cast<Architecture>(i), bytes);
}

}  // namespace
}  // namespace warpwalk::sass

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpwalk::sass::try_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
