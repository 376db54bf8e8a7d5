// Fuzzes the PTX parser with arbitrary text. It must either reject the text with one printable line, or return a module
// in which every index is in range, so that later stages need no checks. Parsing must be deterministic. Called by
// libFuzzer or driver.cpp.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ptx/parse/parser.h"
#include "tests/fuzz/require.h"
#include "tests/ptx/walk.h"

namespace warpwalk::ptx {
namespace {

using fuzz::require;

void try_text(std::string_view text) {
  const std::variant<Module, Error> result = parse(text);
  if (const Module* const module = std::get_if<Module>(&result)) {
    const std::optional<std::string> flaw = flaw_of(*module);
    require(!flaw, flaw.value_or("").c_str());
    return;
  }
  const Error& error = std::get<Error>(result);
  require(error.line > 0 && error.column > 0, "an error is somewhere");
  require(!error.message.empty(), "an error says what is wrong");
  for (const char c : error.text()) require(c >= ' ' && c <= '~', "an error is one line of readable characters");
  const std::variant<Module, Error> again = parse(text);
  require(std::holds_alternative<Error>(again) && std::get<Error>(again).text() == error.text(),
          "the same text is refused the same twice");
}

}  // namespace
}  // namespace warpwalk::ptx

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpwalk::ptx::try_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
