#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::platform {

/// Whether a word is the address of a file on a server: it begins with http:// or https://.
bool is_address(std::string_view word);

/// The name of the file at an address: "rank3.json.gz". Characters that a file name cannot have are replaced.
std::string file_name_of_address(std::string_view address);

/// Whether a bar shows how far it has come.
enum class FetchBar : unsigned char { none, on_stderr };

/// Downloads an address into a folder, with curl, or else with wget, and returns the file. `cancel`: ends it once it is
/// set. On failure: one line, and no file.
base::Result<std::filesystem::path> fetch_address(const std::string& address, const std::filesystem::path& folder,
                                                  FetchBar bar = FetchBar::none,
                                                  const std::atomic<bool>* cancel = nullptr);

}  // namespace warpwalk::platform
