#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/platform/temporary_folder.h"

namespace warpwalk::verbs {

/// The files at the addresses (https://...) on a command line. They are deleted with the object.
class Addresses {
 public:
  /// Fetches each word that is an address and puts the file in its place; with a bar on a terminal. Words after "--",
  /// of a program to record, and the values of -o and --place stay as they are. On failure: one line.
  base::Result<void> fetch(std::vector<std::string>& words);

 private:
  platform::TemporaryFolder folder_;
  std::size_t fetched_ = 0;
};

/// Whether a word of a command line is an address that is fetched.
bool has_address(const std::vector<std::string>& words);

}  // namespace warpwalk::verbs
