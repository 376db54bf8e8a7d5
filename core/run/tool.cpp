#include "core/run/tool.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/run/toolkit.h"

extern char** environ;

namespace warpwalk::run {

std::optional<std::filesystem::path> find_tool(std::string_view name) {
  std::vector<std::filesystem::path> folders;
  if (const char* const path = std::getenv("PATH"))
    for (std::string_view rest = path; !rest.empty();) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
      if (!folder.empty()) folders.emplace_back(folder);
    }
  for (const std::filesystem::path& root : toolkit_roots()) folders.push_back(root / "bin");
  for (const std::filesystem::path& folder : folders)
    if (access((folder / name).c_str(), X_OK) == 0) return folder / name;
  return {};
}

TemporaryFile::TemporaryFile(std::string_view text) {
  std::error_code ignored;
  name_ = (std::filesystem::temp_directory_path(ignored) / "warpwalk-XXXXXX").string();
  const int file = mkstemp(name_.data());
  written_ = file >= 0;
  while (written_ && !text.empty()) {
    const ssize_t n = write(file, text.data(), text.size());
    written_ = n > 0;
    if (written_) text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (file >= 0) close(file);
  if (file < 0) name_.clear();
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) unlink(name_.c_str());
}

std::optional<std::pair<std::string, int>> printed_by(std::vector<std::string> words) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string printed;
  char piece[4096];
  for (ssize_t n = 0; failed == 0 && (n = read(ends[0], piece, sizeof piece)) > 0;)
    printed.append(piece, static_cast<std::size_t>(n));
  close(ends[0]);
  if (failed != 0) return {};
  int status = 0;
  waitpid(child, &status, 0);
  return std::pair{std::move(printed), WIFEXITED(status) ? WEXITSTATUS(status) : 1};
}

}  // namespace warpwalk::run
