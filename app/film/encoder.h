#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/image.h"
#include "core/platform/pipe.h"
#include "core/platform/process.h"

namespace warpwalk::film {

/// ffmpeg at work: pictures go in, and it writes one file.
class Encoder {
 public:
  /// `arguments` are those between the input and the end. Nothing, and one line in `error`, where it does not start.
  static std::unique_ptr<Encoder> start(const std::filesystem::path& program, int width, int height, int fps,
                                        const std::vector<std::string>& arguments, std::string& error);
  /// Ends ffmpeg where it is still at work.
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /// One frame. False where ffmpeg has gone or `stop` answers true, which is asked while ffmpeg keeps us waiting.
  bool write(const draw::Image& image, const std::function<bool()>& stop);
  /// Says that no more frames come and waits for the end. On failure ffmpeg's last words.
  std::optional<std::string> finish();

 private:
  Encoder() = default;
  std::string last_words() const;

  platform::Pipe pictures_;
  std::optional<platform::Process> child_;  // until it has been waited for
  int words_ = -1;                          // what it wrote on stderr
};

}  // namespace warpwalk::film
