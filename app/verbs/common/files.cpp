#include "app/verbs/common/files.h"

#include <fmt/format.h>

#include "app/verbs/common/terminal.h"
#include "core/platform/output_file.h"

namespace warpwalk::verbs {

base::Result<void> write_file(const std::filesystem::path& file, std::string_view text) {
  if (file == "-") {
    print_text(text);
    return {};
  }
  platform::OutputFile out(file);
  out.write(text);
  return out.finish();
}

base::Result<void> check_writable(const std::filesystem::path& file) {
  std::error_code not_there;
  const auto status = std::filesystem::status(file, not_there);
  // Opening and closing a pipe would end its reader.
  if (file == "-" || std::filesystem::is_character_file(status) || std::filesystem::is_fifo(status)) return {};
  platform::OutputFile out(file);
  if (out.failed()) return out.finish();
  return {};
}

int refuse(std::string_view line) {
  print_message(fmt::format("warpwalk: {}", line));
  return 2;
}

}  // namespace warpwalk::verbs
