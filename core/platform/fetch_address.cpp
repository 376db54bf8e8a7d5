#include "core/platform/fetch_address.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/platform/child_program.h"
#include "core/platform/find_program.h"
#include "core/platform/foreground_program.h"

namespace warpwalk::platform {
namespace {

// curl and wget stop if nothing arrives for half a minute.
constexpr const char* patience_seconds = "30";

std::vector<std::string> curl_words(const std::string& curl, const std::string& address, const std::string& file,
                                    FetchBar bar) {
  std::vector<std::string> words = {curl,
                                    "--fail",
                                    "--location",
                                    "--globoff",
                                    "--proto",
                                    "=http,https",
                                    "--show-error",
                                    "--connect-timeout",
                                    patience_seconds,
                                    "--speed-limit",
                                    "1",
                                    "--speed-time",
                                    patience_seconds,
                                    "--retry",
                                    "2",
                                    "--output",
                                    file};
  words.emplace_back(bar == FetchBar::on_stderr ? "--progress-bar" : "--silent");
  words.insert(words.end(), {"--", address});
  return words;
}

std::vector<std::string> wget_words(const std::string& wget, const std::string& address, const std::string& file,
                                    FetchBar bar) {
  std::vector<std::string> words = {wget, "--timeout", patience_seconds, "--tries", "3", "--output-document", file};
  words.emplace_back(bar == FetchBar::on_stderr ? "--show-progress" : "--no-verbose");
  words.insert(words.end(), {"--", address});
  return words;
}

// The last line with text.
std::string last_line_of(const std::string& output) {
  const std::size_t end = output.find_last_not_of("\r\n ");
  if (end == std::string::npos) return {};
  const std::size_t line = output.find_last_of("\r\n", end);
  return output.substr(line == std::string::npos ? 0 : line + 1, end - (line == std::string::npos ? 0 : line + 1) + 1);
}

}  // namespace

bool is_address(std::string_view word) { return word.starts_with("https://") || word.starts_with("http://"); }

std::string file_name_of_address(std::string_view address) {
  std::string_view path = address.substr(std::min(address.find("://") + 3, address.size()));
  path = path.substr(0, path.find_first_of("?#"));
  const std::size_t slash = path.find_last_of('/');
  std::string name(slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1));
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && std::string_view("._-+=").find(c) == std::string_view::npos)
      c = '_';
  constexpr std::size_t longest = 120;
  if (name.size() > longest) name = name.substr(name.size() - longest);  // with its ending
  return name.empty() || name.front() == '.' ? "trace" + name : name;
}

base::Result<std::filesystem::path> fetch_address(const std::string& address, const std::filesystem::path& folder,
                                                  FetchBar bar, const std::atomic<bool>* cancel) {
  const auto curl = find_program("curl"), wget = curl ? std::nullopt : find_program("wget");
  if (!curl && !wget)
    return base::Error{
        fmt::format("{}: curl, which fetches it, is not installed; install curl, or download the file", address)};
  const std::filesystem::path file = folder / file_name_of_address(address);
  std::vector<std::string> words = curl ? curl_words(curl->string(), address, file.string(), bar)
                                        : wget_words(wget->string(), address, file.string(), bar);
  std::string problem;
  if (bar == FetchBar::on_stderr) {
    ProgramOptions options;
    options.to_stderr = options.no_input = true;
    options.cancel = cancel;
    const ProgramEnd end = run_program(words, {}, options);
    if (!end.error.empty())
      problem = end.error;
    else if (end.failed())
      problem = (curl ? "curl " : "wget ") + end.description();
  } else {
    ChildLimits limits;
    limits.cancel = cancel;
    const auto run = run_child(std::move(words), limits);
    if (!run)
      problem = "curl cannot be started";
    else if (run->cancelled)
      problem = "stopped";
    else if (!run->good())
      problem = last_line_of(run->output);
  }
  std::error_code error;
  const bool there = std::filesystem::exists(file, error);
  if (problem.empty() && there) return file;
  std::filesystem::remove(file, error);
  return base::Error{fmt::format("{}: cannot be fetched ({}); check the address, or download the file", address,
                                 problem.empty() ? "it is empty" : problem)};
}

}  // namespace warpwalk::platform
