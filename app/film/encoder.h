#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/image.h"
#include "core/base/result.h"
#include "core/platform/pipe.h"
#include "core/platform/process.h"

namespace warpwalk::film {

/// A running ffmpeg: takes pictures and writes one file.
class Encoder {
 public:
  /// `arguments`: those after the input. On failure: one line (ffmpeg does not start).
  static base::Result<std::unique_ptr<Encoder>> start(const std::filesystem::path& program, int width, int height,
                                                      int fps, const std::vector<std::string>& arguments);
  /// Ends ffmpeg if it is still running.
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /// Writes one frame. Returns false if ffmpeg has ended or `stop` returns true; `stop` is called while waiting.
  bool write(const draw::Image& image, const std::function<bool()>& stop);
  /// Ends the input and waits for ffmpeg to finish. On failure: the last line that ffmpeg wrote.
  base::Result<void> finish();

 private:
  Encoder() = default;
  std::string error_output() const;

  platform::Pipe pictures_;
  std::optional<platform::Process> child_;  // until finish()
  int words_ = -1;                          // its stderr
};

}  // namespace warpwalk::film
