#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/sass/architecture.h"
#include "core/sass/encoding.h"

namespace warpwalk::sass {

/// The contents of a gzip file in tests/sass/data; empty if it cannot be read.
std::string read_data(const std::string& name);

/// An instruction as recorded by tests/sass/record.py.
struct Recorded {
  Architecture architecture = Architecture::sm_75;
  Encoding encoding;  ///< without scheduling bits
  std::uint64_t address = 0;
  std::string_view text;
};

/// The instructions in a file of tests/sass/data, once for each architecture. The texts point into `contents`.
std::vector<Recorded> parse_recorded(std::string_view contents);

}  // namespace warpwalk::sass
