#include "app/film/encoder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

namespace warpwalk::film {

base::Result<std::unique_ptr<Encoder>> Encoder::start(const std::filesystem::path& program, int width, int height,
                                                      int fps, const std::vector<std::string>& arguments) {
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

  std::unique_ptr<Encoder> encoder(new Encoder);
  platform::Pipe& pictures = encoder->pictures_;
  if (!pictures.good()) return base::Error{fmt::format("ffmpeg cannot be started: {}", std::strerror(errno))};
  encoder->words_ = memfd_create("words", MFD_CLOEXEC);
  auto started = platform::Process::start(std::move(words), {pictures.read_end(), -1, encoder->words_},
                                          platform::Process::Group::inherited);
  if (!started) return base::Error{fmt::format("{} cannot be started: {}", program.string(), started.error())};
  encoder->child_.emplace(*std::move(started));
  pictures.close_read_end();
  fcntl(pictures.write_end(), F_SETFL, O_NONBLOCK);
  return encoder;
}

Encoder::~Encoder() {
  if (words_ >= 0) close(words_);
}

bool Encoder::write(const draw::Image& image, const std::function<bool()>& stop) {
  const char* at = reinterpret_cast<const char*>(image.pixels.data());
  const char* const end = at + image.pixels.size() * sizeof(image.pixels[0]);
  while (at < end) {
    if (stop()) return false;
    pollfd room = {pictures_.write_end(), POLLOUT, 0};
    constexpr int milliseconds = 100;
    if (poll(&room, 1, milliseconds) == 0) continue;
    const ssize_t done = ::write(pictures_.write_end(), at, static_cast<std::size_t>(end - at));
    if (done > 0)
      at += done;
    else if (errno != EAGAIN && errno != EINTR)
      return false;
  }
  return !stop();
}

base::Result<void> Encoder::finish() {
  pictures_.close_write_end();
  const platform::ProcessEnd end = child_->wait().value_or(platform::ProcessEnd());
  child_.reset();
  if (end.good()) return {};
  const std::string words = error_output();
  if (!words.empty()) return base::Error{words};
  if (end.signal != 0) return base::Error{fmt::format("it was terminated by signal {}", end.signal)};
  return base::Error{fmt::format("it exited with status {}, without a message", end.exit_status)};
}

std::string Encoder::error_output() const {
  if (words_ < 0) return {};
  constexpr off_t limit = 4096;
  const off_t size = lseek(words_, 0, SEEK_END), from = size > limit ? size - limit : 0;
  std::string text(static_cast<std::size_t>(std::max<off_t>(size - from, 0)), '\0');
  const ssize_t got = pread(words_, text.data(), text.size(), from);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  const std::size_t line = text.find_last_of("\n\r");
  if (line != std::string::npos) text.erase(0, line + 1);
  constexpr std::size_t longest = 300;
  return text.substr(0, longest);
}

}  // namespace warpwalk::film
