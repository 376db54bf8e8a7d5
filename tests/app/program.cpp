#include "tests/app/program.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace warpwalk::testing {

std::size_t Outcome::error_lines() const {
  return static_cast<std::size_t>(std::count(error.begin(), error.end(), '\n')) +
         (!error.empty() && error.back() != '\n');
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string walk(std::string_view name) {
  return std::string(WARPWALK_SOURCE_DIR "/assets/walks/").append(name).append(".json.gz");
}

Program::Program(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                 const std::string& stdout_to, const std::string& start_in)
    : folder_(std::make_unique<Folder>()) {
  std::vector<std::string> words = {WARPWALK_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> settings = environment;
  for (char** setting = environ; *setting != nullptr; ++setting) {
    const std::string_view name = std::string_view(*setting).substr(0, std::string_view(*setting).find('='));
    const auto replaced = [&](const std::string& ours) { return ours.starts_with(std::string(name) + "="); };
    if (name != "WARPWALK_ASSETS" && std::none_of(environment.begin(), environment.end(), replaced))
      settings.emplace_back(*setting);
  }
  const auto pointers = [](std::vector<std::string>& of) {
    std::vector<char*> out;
    for (std::string& word : of) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
  };
  std::vector<char*> argv = pointers(words), envp = pointers(settings);

  out_ = stdout_to.empty() ? folder_->at("out") : "";
  const std::string out = stdout_to.empty() ? out_ : stdout_to, error = folder_->at("error");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, error.c_str(), O_WRONLY | O_CREAT, 0600);
  if (!start_in.empty()) posix_spawn_file_actions_addchdir_np(&actions, start_in.c_str());
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(failed, 0) << argv[0];
  if (failed == 0) child_ = child;
}

Program::~Program() {
  if (!running()) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

bool Program::running() {
  if (child_ == 0) return false;
  if (waitpid(child_, &status_, WNOHANG) == 0) return true;
  child_ = 0;
  return false;
}

void Program::wait_until_it_handles(int signal) {
  const std::string status = "/proc/" + std::to_string(child_) + "/status";
  while (running()) {
    std::istringstream lines(text_of(status));
    for (std::string line; std::getline(lines, line);)  // "SigCgt:	0000000000000002": a bit for each signal
      if (line.starts_with("SigBlk:") || line.starts_with("SigCgt:"))
        if ((std::stoull(line.substr(line.find('\t') + 1), nullptr, 16) >> (signal - 1) & 1) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string Program::error() const { return text_of(folder_->at("error")); }

Outcome Program::wait() {
  if (child_ != 0) waitpid(child_, &status_, 0);
  child_ = 0;
  Outcome outcome;
  outcome.status = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  if (!out_.empty()) outcome.out = text_of(out_);
  outcome.error = error();
  return outcome;
}

Outcome run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
            const std::string& stdout_to) {
  return Program(arguments, environment, stdout_to).wait();
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "warpwalk-test-XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::file(std::string_view name, std::string_view text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return at(name);
}

std::vector<std::string> Folder::names(std::string_view below) const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_ / below))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace warpwalk::testing
