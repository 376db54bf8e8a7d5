#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warpwalk::story {

/// One load of a pointer chase through a buffer of a size, on a real GPU and on the simulated one.
struct ChasedBuffer {
  double bytes = 0;
  double measured = 0;   ///< cycles per load
  double simulated = 0;  ///< cycles per load; 0: not simulated
};

/// Reads a file of assets/devices (ID_chase.csv), which tests/validate/chase.py writes: bytes, cycles_measured and
/// cycles_simulated, by ascending size. On failure, returns a one-line message without the file's name.
std::variant<std::vector<ChasedBuffer>, std::string> parse_chase(std::string_view text);

}  // namespace warpwalk::story
