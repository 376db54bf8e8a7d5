#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/platform/temporary_folder.h"

namespace warpwalk::verbs {

/// What a command line reads from elsewhere, as files: addresses (https://...), and stdin for verbs that read files
/// alone. They are deleted with the object.
class FetchedInputs {
 public:
  /// Fetches each word that is an address and puts the file in its place; with a bar on a terminal. Words after "--",
  /// of a program to record, and the values of -o and --place stay as they are. On failure: one line.
  base::Result<void> fetch(std::vector<std::string>& words);

 private:
  base::Result<std::string> copied_input();

  platform::TemporaryFolder folder_;
  std::size_t fetched_ = 0;
};

/// Whether a command line has a word that FetchedInputs replaces.
bool reads_elsewhere(const std::vector<std::string>& words);

}  // namespace warpwalk::verbs
