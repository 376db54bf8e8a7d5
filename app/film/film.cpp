#include "app/film/film.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/film/encoder.h"
#include "core/platform/blocked_signals.h"
#include "core/platform/find_program.h"
#include "core/platform/output_file.h"
#include "core/story/transcript.h"

namespace warpwalk::film {
namespace {

// Temporary files, which are removed unless keep() is called.
class Aside {
 public:
  Aside() = default;
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside() {
    std::error_code ignored;
    for (const std::filesystem::path& file : files_) std::filesystem::remove(file, ignored);
  }

  // Makes an empty file with an unused name. Returns an empty path on failure, with the reason in errno.
  std::filesystem::path make(const std::filesystem::path& beside) {
    constexpr int tries = 100;
    for (int n = 0; n < tries; ++n) {
      std::filesystem::path name = beside;
      name += n == 0 ? std::string(".partial") : fmt::format(".{}.partial", n);
      if (std::FILE* const file = std::fopen(name.c_str(), "wbx"); file != nullptr) {
        std::fclose(file);
        files_.push_back(name);
        return name;
      }
      if (errno != EEXIST) break;
    }
    return {};
  }
  // A file that is removed like the others.
  void add(std::filesystem::path file) { files_.push_back(std::move(file)); }
  void keep() { files_.clear(); }

 private:
  std::vector<std::filesystem::path> files_;
};

class Progress {
 public:
  Progress(int frames, bool lines) : frames_(frames), lines_(lines), terminal_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(int frame) {
    if (lines_) {
      fmt::print(stderr, "frame {} of {}\n", frame, frames_);
      return;
    }
    const Clock::time_point now = Clock::now();
    if (!terminal_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    shown_ = true;
    fmt::print(stderr, "\rfilm: frame {} of {}, Ctrl-C stops ", frame, frames_);
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  int frames_;
  bool lines_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point last_;
};

// Prevents that ffmpeg takes a name for an option or another protocol.
std::string url_of(const std::filesystem::path& file) { return "file:" + std::filesystem::absolute(file).string(); }

// The arguments that encode the frames. `to` is a temporary name, so the format is given explicitly.
std::vector<std::string> arguments_for(const std::filesystem::path& out, const std::filesystem::path& to) {
  const std::string file = url_of(to);
  // Video stores one colour per four pixels, so the sides must be even; screens expect BT.709 colours.
  const std::string even =
      "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,"
      "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709";
  const std::vector<std::string> webm = {"-c:v",    "libvpx-vp9", "-crf",      "24",       "-b:v",      "0",
                                         "-row-mt", "1",          "-deadline", "realtime", "-cpu-used", "5"};
  const std::vector<std::string> mp4 = {"-c:v",    "libx264",  "-crf",      "16",
                                        "-preset", "veryfast", "-movflags", "+faststart"};
  const bool is_webm = out.extension() == ".webm";
  std::vector<std::string> all = {"-vf", even};
  all.insert(all.end(), is_webm ? webm.begin() : mp4.begin(), is_webm ? webm.end() : mp4.end());
  all.insert(all.end(), {"-f", is_webm ? "webm" : "mp4", file});
  return all;
}

base::Result<std::vector<BeatLength>> lengths_of(const std::vector<BeatStage>& beats) {
  std::vector<BeatLength> lengths;
  for (const BeatStage& beat : beats) {
    const auto stage = beat(1);
    if (!stage) return base::Error{stage.error()};
    lengths.push_back({stage->motion_seconds, story::pause_seconds_of(*stage)});
  }
  return lengths;
}

class Film {
 public:
  Film(const std::vector<BeatStage>& beats, const Studio& studio, const FilmOptions& options)
      : beats_(beats), studio_(studio), options_(options) {}

  base::Result<void> make() {
    const auto lengths = lengths_of(beats_);
    if (!lengths) return stopped(lengths.error());
    frames_ = film_frames(*lengths, options_.fps);
    for (const FilmFrame& frame : frames_) count_ += frame.times;
    return options_.frames ? as_pictures() : as_video();
  }

 private:
  base::Result<void> as_pictures() {
    Aside written;
    Progress progress(count_, options_.progress);
    int number = 0;
    for (const FilmFrame& frame : frames_) {
      const auto drawn = picture(frame);
      if (!drawn) return stopped(drawn.error());
      const std::optional<std::string> bytes = draw::png_of(*drawn);
      if (!bytes) return base::Error{"a picture cannot be encoded as PNG"};
      for (int i = 0; i < frame.times; ++i) {
        if (signals_.stop_requested()) return {};
        const std::filesystem::path file = options_.out / fmt::format("frame-{:05}.png", ++number);
        platform::OutputFile picture(file);
        picture.write(*bytes);
        if (auto done = picture.finish(); !done) return done;
        written.add(file);
        progress.at(number);
      }
    }
    written.keep();
    return done();
  }

  base::Result<void> as_video() {
    const auto ffmpeg = platform::find_program("ffmpeg");
    if (!ffmpeg) return base::Error{std::string(no_ffmpeg)};
    const std::filesystem::path& out = options_.out;
    std::error_code ignored;
    const auto status = std::filesystem::status(out, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      return base::Error{fmt::format("{}: not a regular file; choose another", out.string())};
    const auto cannot = [&] {
      return base::Error{fmt::format("{}: cannot be written: {}", out.string(), std::strerror(errno))};
    };
    Aside aside;
    const std::filesystem::path file = aside.make(out);
    if (file.empty()) return cannot();
    std::vector<std::string> arguments = arguments_for(out, file);
    if (out.extension() == ".gif") {
      const std::filesystem::path palette = aside.make(std::filesystem::path(out).concat(".palette"));
      if (palette.empty()) return cannot();
      // One palette for the whole film, from the end of every beat, so that nothing flickers.
      if (auto done = encode(*ffmpeg, last_of_beats(),
                             {"-vf", "palettegen=stats_mode=full", "-frames:v", "1", "-c:v", "png", "-f", "image2pipe",
                              url_of(palette)},
                             nullptr);
          !done)
        return done;
      arguments = {"-f",    "png_pipe", "-i", url_of(palette), "-lavfi",    "paletteuse=dither=none",
                   "-loop", "0",        "-f", "gif",           url_of(file)};
    }
    Progress progress(count_, options_.progress);
    if (auto done = encode(*ffmpeg, frames_, arguments, &progress); !done) return done;
    if (signals_.stop_requested()) return {};
    std::error_code renamed;
    std::filesystem::rename(file, out, renamed);
    if (renamed) return base::Error{fmt::format("{}: cannot be moved into place: {}", out.string(), renamed.message())};
    return done();
  }

  base::Result<draw::Image> picture(const FilmFrame& frame) const {
    const auto stage = beats_[frame.beat](frame.phase);
    if (!stage) return base::Error{stage.error()};
    return studio_.image(*stage);
  }

  // The end after an error of a stage. A signal, which may have brought it about, is no failure.
  base::Result<void> stopped(const std::string& error) {
    if (signals_.stop_requested()) return {};
    return base::Error{error};
  }

  std::vector<FilmFrame> last_of_beats() const {
    std::vector<FilmFrame> last;
    for (std::size_t beat = 0; beat < beats_.size(); ++beat) last.push_back({beat, 1, 1});
    return last;
  }

  // That a signal ended it is no failure.
  base::Result<void> encode(const std::filesystem::path& ffmpeg, const std::vector<FilmFrame>& frames,
                            const std::vector<std::string>& arguments, Progress* progress) {
    const auto started =
        Encoder::start(ffmpeg, studio_.options().width, studio_.options().height, options_.fps, arguments);
    if (!started) return base::Error{started.error()};
    Encoder& encoder = **started;
    int number = 0;
    bool taken = true;
    for (std::size_t i = 0; taken && i < frames.size(); ++i) {
      const auto image = picture(frames[i]);
      if (!image) return stopped(image.error());  // the encoder's destructor ends ffmpeg
      for (int n = 0; taken && n < frames[i].times; ++n) {
        taken = encoder.write(*image, [this] { return signals_.stop_requested(); });
        if (progress != nullptr && taken) progress->at(++number);
      }
    }
    if (signals_.stop_requested()) return {};  // the encoder's destructor ends ffmpeg
    if (const auto done = encoder.finish(); !done)
      return base::Error{fmt::format("{}: ffmpeg failed: {}", options_.out.string(), done.error())};
    if (!taken) return base::Error{fmt::format("{}: ffmpeg ended before the film was complete", options_.out.string())};
    return {};
  }

  base::Result<void> done() const {
    fmt::print("{} frames, {:.1f} s in {}\n", count_, static_cast<double>(count_) / options_.fps,
               options_.out.string());
    return {};
  }

  platform::BlockedSignals signals_;  // first, so that it is destroyed last, after all clean-up
  const std::vector<BeatStage>& beats_;
  const Studio& studio_;
  const FilmOptions& options_;
  std::vector<FilmFrame> frames_;
  int count_ = 0;
};

}  // namespace

bool is_film(const std::filesystem::path& out) {
  const std::filesystem::path extension = out.extension();
  return extension == ".mp4" || extension == ".webm" || extension == ".gif";
}

std::vector<FilmFrame> film_frames(const std::vector<BeatLength>& lengths, int fps) {
  std::vector<FilmFrame> frames;
  for (std::size_t beat = 0; beat < lengths.size(); ++beat) {
    const int motion = std::max(1, static_cast<int>(std::lround(lengths[beat].motion * fps)));
    const int pause = std::max(1, static_cast<int>(std::lround(lengths[beat].pause * fps)));
    for (int i = 1; i <= motion; ++i)
      frames.push_back({beat, static_cast<double>(i) / motion, i == motion ? 1 + pause : 1});
  }
  return frames;
}

base::Result<void> write_film(const std::vector<BeatStage>& beats, const Studio& studio, const FilmOptions& options) {
  return Film(beats, studio, options).make();
}

}  // namespace warpwalk::film
