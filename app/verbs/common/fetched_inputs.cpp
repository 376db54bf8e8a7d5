#include "app/verbs/common/fetched_inputs.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "app/verbs/common/standard_input.h"
#include "core/platform/fetch_address.h"

namespace warpwalk::verbs {
namespace {

bool is_kept(const std::string& word) {
  constexpr std::string_view outputs[] = {"-o", "--output", "--place", "--json", "--csv", "--export"};
  return std::ranges::find(outputs, word) != std::end(outputs);
}

// Whether "-" is copied to a file: others read stdin themselves, or do not read files.
bool copies_stdin(const std::vector<std::string>& words) {
  constexpr std::string_view verbs[] = {"-", "render", "export", "simulate", "grade"};
  return std::ranges::find(verbs, words.front()) != std::end(verbs);
}

// The ending by which a verb knows what a file is.
std::string_view ending_of(std::string_view begin) {
  if (begin.find("__global__") != std::string_view::npos) return ".cu";
  if (begin.find(".version") != std::string_view::npos) return ".ptx";
  if (begin.starts_with("\x1f\x8b")) return ".json.gz";
  return begin.starts_with("SQLite") ? ".sqlite" : ".json";
}

// The places of the words to fetch.
std::vector<std::size_t> addressed(const std::vector<std::string>& words) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i)
    if ((platform::is_address(words[i]) || (words[i] == "-" && copies_stdin(words))) &&
        (i == 0 || !is_kept(words[i - 1])))
      places.push_back(i);
  return places;
}

// A digest says where its trace is, not where it was fetched to, and is written into the current folder.
void add_digest_options(const std::string& address, const std::filesystem::path& file,
                        std::vector<std::string>& words) {
  const auto has = [&](std::string_view option) { return std::ranges::find(words, option) != words.end(); };
  if (!has("--place")) words.insert(words.end(), {"--place", address});
  if (has("-o") || has("--output")) return;
  std::filesystem::path name = file.filename();
  if (name.extension() == ".gz") name.replace_extension();
  words.insert(words.end(), {"-o", name.replace_extension(".digest").string()});
}

}  // namespace

bool reads_elsewhere(const std::vector<std::string>& words) { return !addressed(words).empty(); }

base::Result<std::string> FetchedInputs::copied_input() {
  constexpr std::uint64_t longest = std::uint64_t{64} << 30;
  const StandardInput input;
  if (const auto copied = input.copy(longest, [] { return false; }); !copied) return base::Error{copied.error()};
  std::ifstream in(input.file(), std::ios::binary);
  std::string begin(std::size_t{1} << 16, '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  if (begin.empty()) return base::Error{"stdin: nothing was read; pipe a file into it, or name one"};
  const std::filesystem::path file = folder_.path() / ("stdin" + std::string(ending_of(begin)));
  std::error_code error;
  std::filesystem::copy_file(input.file(), file, error);
  if (error) return base::Error{"stdin cannot be kept in " + file.string() + ": " + error.message()};
  return file.string();
}

base::Result<void> FetchedInputs::fetch(std::vector<std::string>& words) {
  if (folder_.path().empty())
    return base::Error{"no temporary folder can be created; set TMPDIR to a folder with free space"};
  const auto bar = isatty(STDERR_FILENO) != 0 ? platform::FetchBar::on_stderr : platform::FetchBar::none;
  const std::vector<std::size_t> found = addressed(words);
  for (const std::size_t at : found) {
    if (words[at] == "-") {
      auto file = copied_input();
      if (!file) return base::Error{file.error()};
      words[at] = *std::move(file);
      continue;
    }
    // Each in a folder of its own: two addresses may end in the same name.
    const std::filesystem::path folder = folder_.path() / std::to_string(fetched_++);
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    auto file = platform::fetch_address(words[at], folder, bar);
    if (!file) return base::Error{file.error()};
    const std::string address = words[at];  // `words` grows
    if (words.front() == "digest") add_digest_options(address, *file, words);
    words[at] = file->string();
  }
  return {};
}

}  // namespace warpwalk::verbs
