#pragma once

// This folder makes films of scenes. app/verbs/render.cpp makes single pictures.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/film/studio.h"
#include "core/base/result.h"
#include "core/story/stage/stage.h"

namespace warpwalk::film {

struct FilmOptions {
  std::filesystem::path out;  ///< .mp4, .webm or .gif; with `frames` an existing folder
  int fps = 30;
  bool frames = false;    ///< write frame-00001.png ... into the folder, without ffmpeg
  bool progress = false;  ///< "frame 12 of 300" on stderr, one line per frame; otherwise one line, on a terminal only
};

/// The stage of one beat at a phase of its motion, 0 to 1. On failure: one line, and there is no film.
using BeatStage = std::function<base::Result<story::Stage>(double phase)>;

/// The error if ffmpeg is missing.
inline constexpr std::string_view no_ffmpeg =
    "a film needs ffmpeg, which is not in PATH; install it (apt-get install ffmpeg), or write numbered pictures: "
    "--frames -o FOLDER";

/// True if the name is that of a film.
bool is_film(const std::filesystem::path& out);

/// A frame of a film.
struct FilmFrame {
  std::size_t beat = 0;
  double phase = 1;
  int times = 1;  ///< how many frames show it
};
/// The length of a beat in seconds: its motion, and the pause for reading after it. Both are those of the window.
struct BeatLength {
  double motion = 0, pause = 0;
};
std::vector<FilmFrame> film_frames(const std::vector<BeatLength>& lengths, int fps);

/// Writes the beats one after the other as a film. The file is written under a temporary name, and nothing remains of
/// it after an error, SIGINT, SIGTERM or SIGHUP. On failure: one line. Must be called while no other thread takes
/// signals.
base::Result<void> write_film(const std::vector<BeatStage>& beats, const Studio& studio, const FilmOptions& options);

}  // namespace warpwalk::film
