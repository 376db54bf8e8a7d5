#include "app/verbs/files.h"

#include <cstdio>

#include <fmt/format.h>

#include "core/platform/output_file.h"

namespace warpwalk::verbs {
namespace {

// Names in a file may contain a terminal's control characters.
std::string printable(std::string_view text, bool one_line) {
  std::string out(text);
  for (char& c : out)
    if ((static_cast<unsigned char>(c) < 0x20 || c == 0x7f) && (one_line || (c != '\n' && c != '\t'))) c = ' ';
  return out;
}

}  // namespace

std::optional<std::string> write_file(const std::filesystem::path& file, std::string_view text) {
  if (file == "-") {
    fmt::print("{}", printable(text, false));
    return {};
  }
  platform::OutputFile out(file);
  out.write(text);
  return out.finish();
}

std::optional<std::string> unwritable(const std::filesystem::path& file) {
  std::error_code not_there;
  const auto status = std::filesystem::status(file, not_there);
  // Opening and closing a pipe would end its reader.
  if (file == "-" || std::filesystem::is_character_file(status) || std::filesystem::is_fifo(status)) return {};
  platform::OutputFile out(file);
  return out.failed() ? out.finish() : std::nullopt;
}

int refuse(std::string_view line) {
  fmt::print(stderr, "warpwalk: {}\n", printable(line, true));
  return 2;
}

}  // namespace warpwalk::verbs
