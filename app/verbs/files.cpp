#include "app/verbs/files.h"

#include <cstdio>

#include <fmt/format.h>

#include "core/trace/output_file.h"

namespace warpwalk::verbs {
namespace {

std::string printable(std::string_view line) {
  std::string out;
  for (const char c : line) out.push_back(c == '\n' || c == '\r' ? ' ' : c);
  return out;
}

}  // namespace

std::optional<std::string> write_file(const std::filesystem::path& file, std::string_view text) {
  if (file == "-") {
    fmt::print("{}", text);
    return {};
  }
  trace::OutputFile out(file);
  out.write(text);
  return out.finish();
}

std::optional<std::string> unwritable(const std::filesystem::path& file) {
  std::error_code not_there;
  const auto status = std::filesystem::status(file, not_there);
  // A pipe that is opened and closed would end its reader.
  if (file == "-" || std::filesystem::is_character_file(status) || std::filesystem::is_fifo(status)) return {};
  trace::OutputFile out(file);
  return out.failed() ? out.finish() : std::nullopt;
}

int refuse(std::string_view line) {
  fmt::print(stderr, "warpwalk: {}\n", printable(line));
  return 2;
}

}  // namespace warpwalk::verbs
