#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/film/studio.h"
#include "core/story/stage/stage.h"

namespace warpwalk::film {

/// Seconds of a beat's motion, and of the pause after it in which people read; as the window plays them.
inline constexpr double motion_seconds = 0.8;
inline constexpr double pause_seconds = 2.5;

struct FilmOptions {
  std::filesystem::path out;  ///< .mp4, .webm or .gif; with `frames` a folder that is there
  int fps = 30;
  bool frames = false;  ///< frame-00001.png ... into the folder, without ffmpeg
  bool progress =
      false;  ///< "frame 12 of 300" on stderr, a line each frame; else one line, and that on a terminal only
};

/// The stage of one beat at a phase of its motion, 0 to 1.
using BeatStage = std::function<story::Stage(double phase)>;

/// What to say where ffmpeg is not there.
inline constexpr std::string_view no_ffmpeg =
    "a film needs ffmpeg, which is not in PATH; install it (apt-get install ffmpeg), or write numbered pictures: "
    "--frames -o FOLDER";

/// Whether the name is that of a film.
bool is_film(const std::filesystem::path& out);

/// One frame of a film: beat and phase.
struct FilmFrame {
  std::size_t beat = 0;
  double phase = 1;
  int times = 1;  ///< how often it is shown
};
std::vector<FilmFrame> film_frames(std::size_t beats, int fps);

/// The beats one after the other. The file is written aside; where anything fails, or SIGINT, SIGTERM or SIGHUP ends
/// the program, nothing of it remains. On failure: one line. To be called
/// while no other thread runs that takes signals.
std::optional<std::string> write_film(const std::vector<BeatStage>& beats, const Studio& studio,
                                      const FilmOptions& options);

}  // namespace warpwalk::film
