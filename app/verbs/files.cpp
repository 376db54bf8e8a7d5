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

int refuse(std::string_view line) {
  fmt::print(stderr, "warpwalk: {}\n", printable(line));
  return 2;
}

}  // namespace warpwalk::verbs
