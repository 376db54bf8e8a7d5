#include "app/verbs/common/addresses.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "core/platform/fetch_address.h"

namespace warpwalk::verbs {
namespace {

bool is_kept(const std::string& word) {
  return word == "-o" || word == "--output" || word == "--place" || word == "--json";
}

// The places of the words to fetch.
std::vector<std::size_t> addressed(const std::vector<std::string>& words) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i)
    if (platform::is_address(words[i]) && (i == 0 || !is_kept(words[i - 1]))) places.push_back(i);
  return places;
}

}  // namespace

bool has_address(const std::vector<std::string>& words) { return !addressed(words).empty(); }

base::Result<void> Addresses::fetch(std::vector<std::string>& words) {
  if (folder_.path().empty())
    return base::Error{"no temporary folder can be created; set TMPDIR to a folder with free space"};
  const auto bar = isatty(STDERR_FILENO) != 0 ? platform::FetchBar::on_stderr : platform::FetchBar::none;
  std::vector<std::string> places;
  for (const std::size_t at : addressed(words)) {
    // Each in a folder of its own: two addresses may end in the same name.
    const std::filesystem::path folder = folder_.path() / std::to_string(fetched_++);
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    auto file = platform::fetch_address(words[at], folder, bar);
    if (!file) return base::Error{file.error()};
    if (words.front() == "digest") places = {"--place", words[at]};
    words[at] = file->string();
  }
  // A digest says where its trace is, not where it was fetched to.
  if (std::ranges::find(words, "--place") == words.end()) words.insert(words.end(), places.begin(), places.end());
  return {};
}

}  // namespace warpwalk::verbs
