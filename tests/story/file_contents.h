#pragma once

#include <string>

namespace warpwalk::story::testing {

/// A file of the repository, decompressed if it is compressed. Empty, with a failed expectation, if it cannot be read.
std::string file_contents(const std::string& file);

}  // namespace warpwalk::story::testing
