#include "core/run/ptxas.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/run/toolkit.h"

extern char** environ;

namespace warpwalk::run {
namespace {

std::optional<std::filesystem::path> find_ptxas() {
  std::vector<std::filesystem::path> folders;
  if (const char* const path = std::getenv("PATH"))
    for (std::string_view rest = path; !rest.empty();) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
      if (!folder.empty()) folders.emplace_back(folder);
    }
  for (const std::filesystem::path& root : toolkit_roots()) folders.push_back(root / "bin");
  for (const std::filesystem::path& folder : folders)
    if (access((folder / "ptxas").c_str(), X_OK) == 0) return folder / "ptxas";
  return {};
}

/// A file with this text that goes away with it.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text) {
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
  ~TemporaryFile() {
    if (!name_.empty()) unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool written() const { return written_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  bool written_ = false;
};

/// Runs a program to its end and takes what it prints. None where it could not be started.
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

}  // namespace

int registers_in(std::string_view printed, std::string_view entry) {
  const std::size_t begin = printed.find(fmt::format("entry function '{}'", entry));
  if (begin == std::string_view::npos) return 0;
  printed.remove_prefix(begin + 1);
  printed = printed.substr(0, printed.find("entry function '"));
  constexpr std::string_view used = "Used ";
  const std::size_t at = printed.find(used);
  if (at == std::string_view::npos) return 0;
  int registers = 0;
  std::from_chars(printed.data() + at + used.size(), printed.data() + printed.size(), registers);
  return registers;
}

std::variant<int, std::string> registers_by_ptxas(std::string_view ptx, std::string_view entry,
                                                  std::string_view compute_capability) {
  const auto ptxas = find_ptxas();
  if (!ptxas)
    return "ptxas is neither in PATH nor in /usr/local/cuda/bin; give \"registers\" in the launch file, or leave "
           "--ptxas "
           "out for an estimate";
  std::string architecture = "-arch=sm_";
  for (const char c : compute_capability)
    if (c != '.') architecture += c;
  const TemporaryFile file(ptx);
  if (!file.written()) return "the PTX cannot be written to the folder for temporary files, which ptxas reads it from";
  const auto run = printed_by({ptxas->string(), "-v", architecture, file.name(), "-o", "/dev/null"});
  if (!run) return fmt::format("{} cannot be started", ptxas->string());
  const auto& [printed, status] = *run;
  if (status != 0) return fmt::format("{}: {}", ptxas->string(), printed.substr(0, printed.find('\n')));
  const int registers = registers_in(printed, entry);
  if (registers == 0) return fmt::format("{} tells no registers of {}", ptxas->string(), entry);
  return registers;
}

}  // namespace warpwalk::run
