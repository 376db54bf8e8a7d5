#include "app/answers/read_answers.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "core/platform/packed_text.h"
#include "core/platform/read_file.h"

namespace warpwalk::answers {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view packed_name = "warpwalk-answers", line_mark = "\"warpwalk_answer\"";
constexpr std::size_t most_answer_files = 20000;

// The answers in a text, by what was handed in at once. `file_name` is for messages.
std::vector<ReadAnswers> answers_in(std::string_view text, const std::string& file_name) {
  const auto packed = platform::packed_texts(text, packed_name, max_answers_bytes);
  if (packed.empty()) return {parse_answers(text, file_name)};
  std::vector<ReadAnswers> all;
  for (const base::Result<std::string>& one : packed)
    if (one)
      all.push_back(parse_answers(*one, file_name));
    else
      all.emplace_back().problems.push_back(
          fmt::format("{}: the text that was copied from warpwalk cannot be read: {}; copy it again", file_name,
                      one.error()));
  return all;
}

// The files of a folder and its subfolders, sorted, without hidden ones. Links are not followed.
base::Result<std::vector<fs::path>> answer_files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  auto at = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const bool hidden = at->path().filename().string().starts_with('.');
    if (hidden) at.disable_recursion_pending();
    if (hidden || at->symlink_status(error).type() != fs::file_type::regular) continue;
    if (files.size() == most_answer_files)
      return base::Error{fmt::format("{}: has more than {} files", folder.string(), most_answer_files)};
    files.push_back(at->path());
  }
  if (error) return base::Error{fmt::format("{}: {}", folder.string(), error.message())};
  if (files.empty()) return base::Error{fmt::format("{}: holds no files", folder.string())};
  std::ranges::sort(files);
  return files;
}

}  // namespace

bool has_answers(std::string_view text) {
  return text.find(line_mark) != std::string_view::npos ||
         text.find(fmt::format("{}.", packed_name)) != std::string_view::npos;
}

ReadAnswers read_answers(const std::vector<fs::path>& paths) {
  ReadAnswers all;
  std::map<std::string, std::size_t> known;  // how often an answer was handed in at once, at most
  const auto read_file = [&](const fs::path& file, bool of_folder) {
    const auto read = platform::read_text_file(file, max_answers_bytes);
    if (!read) return all.problems.push_back(read.error());
    if (of_folder && !has_answers(read->text))
      return all.problems.push_back(fmt::format("{}: has no answers", file.string()));
    for (ReadAnswers& found : answers_in(read->text, file.string())) {
      std::map<std::string, std::size_t> here;
      for (Answer& answer : found.answers) {
        const std::string line = json_line(answer);
        if (++here[line] <= known[line]) continue;
        known[line] = here[line];
        all.answers.push_back(std::move(answer));
      }
      std::ranges::move(found.problems, std::back_inserter(all.problems));
    }
  };
  for (const fs::path& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      read_file(path, false);
      continue;
    }
    const auto files = answer_files_in(path);
    if (!files) all.problems.push_back(files.error());
    for (const fs::path& file : files ? *files : std::vector<fs::path>()) read_file(file, true);
  }
  return all;
}

std::string handed_in_lines(std::vector<Answer> answers, const std::string& student) {
  std::string lines;
  for (Answer& answer : answers) {
    if (answer.student.empty()) answer.student = student;
    lines += json_line(answer) + "\n";
  }
  return lines;
}

std::string handed_in_word(std::string_view lines) { return platform::packed_text(packed_name, lines); }

}  // namespace warpwalk::answers
