#include "app/verbs/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

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
  std::filesystem::path aside = file;
  aside += fmt::format(".{}.partial", getpid());
  const auto failed = [&] {
    const std::string reason = std::strerror(errno);
    std::error_code ignored;
    std::filesystem::remove(aside, ignored);
    return fmt::format("{}: cannot be written: {}", file.string(), reason);
  };
  std::FILE* const out = std::fopen(aside.c_str(), "wb");
  if (out == nullptr) return failed();
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (std::fclose(out) != 0 || !written) return failed();
  std::error_code error;
  std::filesystem::rename(aside, file, error);
  if (error) {
    errno = error.value();
    return failed();
  }
  return {};
}

int refuse(std::string_view line) {
  fmt::print(stderr, "warpwalk: {}\n", printable(line));
  return 2;
}

}  // namespace warpwalk::verbs
