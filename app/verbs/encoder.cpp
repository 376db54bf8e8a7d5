#include "app/verbs/encoder.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace warpwalk::verbs {
namespace {

void shut(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

}  // namespace

std::optional<std::filesystem::path> find_program(std::string_view name) {
  const char* const folders = std::getenv("PATH");
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    if (folder.empty()) continue;
    const std::filesystem::path candidate = std::filesystem::path(folder) / name;
    std::error_code error;
    if (std::filesystem::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

std::unique_ptr<Encoder> Encoder::start(const std::filesystem::path& program, int width, int height, int fps,
                                        const std::vector<std::string>& arguments, std::string& error) {
  std::vector<std::string> words = {program.string(),
                                    "-hide_banner",
                                    "-loglevel",
                                    "error",
                                    "-y",
                                    "-f",
                                    "rawvideo",
                                    "-pixel_format",
                                    "rgba",
                                    "-video_size",
                                    fmt::format("{}x{}", width, height),
                                    "-framerate",
                                    std::to_string(fps),
                                    "-i",
                                    "pipe:0"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  std::unique_ptr<Encoder> encoder(new Encoder);
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    error = fmt::format("ffmpeg cannot be started: {}", std::strerror(errno));
    return nullptr;
  }
  encoder->to_child_ = ends[1];
  encoder->words_ = memfd_create("words", MFD_CLOEXEC);
  fcntl(encoder->to_child_, F_SETFL, O_NONBLOCK);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (encoder->words_ >= 0)
    posix_spawn_file_actions_adddup2(&actions, encoder->words_, STDERR_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;  // what this program holds back must end that one
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int failed = posix_spawn(&encoder->child_, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  shut(ends[0]);
  if (failed == 0) return encoder;
  encoder->child_ = 0;
  error = fmt::format("{} cannot be started: {}", program.string(), std::strerror(failed));
  return nullptr;
}

Encoder::~Encoder() {
  shut(to_child_);
  if (child_ != 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  shut(words_);
}

bool Encoder::write(const draw::Image& image, const std::function<bool()>& stop) {
  const char* at = reinterpret_cast<const char*>(image.pixels.data());
  const char* const end = at + image.pixels.size() * sizeof(image.pixels[0]);
  while (at < end) {
    if (stop()) return false;
    pollfd room = {to_child_, POLLOUT, 0};
    constexpr int milliseconds = 100;
    if (poll(&room, 1, milliseconds) == 0) continue;
    const ssize_t done = ::write(to_child_, at, static_cast<std::size_t>(end - at));
    if (done > 0)
      at += done;
    else if (errno != EAGAIN && errno != EINTR)
      return false;
  }
  return !stop();
}

std::optional<std::string> Encoder::finish() {
  shut(to_child_);
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string words = last_words();
  if (!words.empty()) return words;
  if (WIFSIGNALED(status)) return fmt::format("it was ended by signal {}", WTERMSIG(status));
  return fmt::format("it ended with status {} and said nothing", WEXITSTATUS(status));
}

std::string Encoder::last_words() const {
  if (words_ < 0) return {};
  constexpr off_t most = 4096;
  const off_t size = lseek(words_, 0, SEEK_END), from = size > most ? size - most : 0;
  std::string text(static_cast<std::size_t>(std::max<off_t>(size - from, 0)), '\0');
  const ssize_t got = pread(words_, text.data(), text.size(), from);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  const std::size_t line = text.find_last_of("\n\r");
  if (line != std::string::npos) text.erase(0, line + 1);
  constexpr std::size_t longest = 300;
  return text.substr(0, longest);
}

}  // namespace warpwalk::verbs
