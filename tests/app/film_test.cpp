// Scenes as films, with a fake ffmpeg and, if it is installed, with the real one.
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/draw/image.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using namespace std::chrono_literals;

constexpr int bytes_a_frame = 640 * 360 * 4;

// A folder for PATH with an ffmpeg that runs this script.
class FakeFfmpeg {
 public:
  explicit FakeFfmpeg(const std::string& lines) {
    std::filesystem::permissions(folder_.file("ffmpeg", "#!/bin/sh\nhere='" + folder_.path().string() + "'\n" + lines),
                                 std::filesystem::perms::owner_all);
  }
  std::vector<std::string> environment() const { return {"PATH=" + folder_.path().string() + ":/usr/bin:/bin"}; }
  std::string summary(std::string_view file) const { return text_of(folder_.at(file)); }

 private:
  Folder folder_;
};

// Writes the number of bytes that it receives into its output file.
constexpr const char* counting = R"(
echo "$@" >> "$here/arguments"
for last; do :; done
wc -c > "${last#file:}"
)";

std::vector<std::string> film(const std::string& out, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"render", walk("relu_matmul"), "--scene", "boardroom",
                                    "--size", "640x360",           "-o",      out};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The frames of the beats of relu_matmul's boardroom, in motion and in the pause after it, from its text: 3, 5 and then
// 2 s of motion, and a pause in which title and sentence can be read at 250 words per minute, of at least 2.5 s.
std::vector<std::pair<int, int>> beats_of_boardroom(int fps) {
  std::istringstream text(run({"render", walk("relu_matmul"), "--scene", "boardroom", "--text"}).out);
  std::vector<std::pair<int, int>> beats;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("boardroom ")) continue;
    std::string title, sentence;
    std::getline(text, title);
    std::getline(text, sentence);
    std::istringstream words(title + " " + sentence);
    const double motion = beats.empty() ? 3 : beats.size() == 1 ? 5 : 2;
    const auto count = std::distance(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
    const double pause = std::max(2.5, 0.24 * static_cast<double>(count) - motion);
    beats.emplace_back(std::lround(motion * fps), std::lround(pause * fps));
  }
  EXPECT_EQ(beats.size(), 7u);
  return beats;
}

int frames_of_boardroom(int fps) {
  int frames = 0;
  for (const auto& [motion, pause] : beats_of_boardroom(fps)) frames += motion + pause;
  return frames;
}

std::optional<std::filesystem::path> real_ffmpeg() {
  for (const char* folder : {"/usr/bin", "/usr/local/bin"})
    if (std::filesystem::exists(std::filesystem::path(folder) / "ffmpeg"))
      return std::filesystem::path(folder) / "ffmpeg";
  return {};
}

TEST(Film, EveryBeatMovesAndPausesAtThirtyFramesASecond) {
  const FakeFfmpeg ffmpeg(counting);
  const Folder folder;
  const Outcome outcome = run(film(folder.at("a.mp4")), ffmpeg.environment());
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  const int frames = frames_of_boardroom(30);
  EXPECT_EQ(std::stol(text_of(folder.at("a.mp4"))), long{frames} * bytes_a_frame);
  EXPECT_EQ(outcome.out, fmt::format("{} frames, {:.1f} s in {}\n", frames, frames / 30.0, folder.at("a.mp4")));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.mp4"});
  const std::string arguments = ffmpeg.summary("arguments");
  for (const char* word : {"-video_size 640x360", "-framerate 30", "-f rawvideo", "-f mp4"})
    EXPECT_THAT(arguments, ::testing::HasSubstr(word));
}

TEST(Film, OtherFramesASecondAndKinds) {
  const FakeFfmpeg ffmpeg(counting);
  const Folder folder;
  EXPECT_EQ(run(film(folder.at("a.webm"), {"--fps", "10"}), ffmpeg.environment()).status, 0);
  EXPECT_EQ(std::stol(text_of(folder.at("a.webm"))), long{frames_of_boardroom(10)} * bytes_a_frame);
  EXPECT_THAT(ffmpeg.summary("arguments"), ::testing::HasSubstr("-f webm"));
  EXPECT_EQ(run(film(folder.at("a.gif"), {"--fps", "10"}), ffmpeg.environment()).status, 0);
  EXPECT_EQ(std::stol(text_of(folder.at("a.gif"))), long{frames_of_boardroom(10)} * bytes_a_frame);
  EXPECT_THAT(ffmpeg.summary("arguments"), ::testing::HasSubstr("palettegen"));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.gif", "a.webm"}));
}

TEST(Film, ProgressIsALineAFrame) {
  const FakeFfmpeg ffmpeg(counting);
  const Folder folder;
  const Outcome outcome = run(film(folder.at("a.mp4"), {"--fps", "4", "--progress"}), ffmpeg.environment());
  const int frames = frames_of_boardroom(4);
  EXPECT_EQ(outcome.error_lines(), static_cast<std::size_t>(frames));
  EXPECT_TRUE(outcome.error.starts_with(fmt::format("frame 1 of {0}\nframe 2 of {0}\n", frames))) << outcome.error;
  EXPECT_TRUE(outcome.error.ends_with(fmt::format("frame {0} of {0}\n", frames)));
}

void expect_one_line(const Outcome& outcome, std::string_view words) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.error, ::testing::HasSubstr(words));
}

TEST(Film, WithoutFfmpegSaysWhatToDoAndWritesNothing) {
  const Folder folder, nothing;
  const Outcome outcome = run(film(folder.at("a.mp4")), {"PATH=" + nothing.path().string()});
  expect_one_line(outcome, "needs ffmpeg");
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("--frames"));
  expect_one_line(run(film(folder.at("a.gif")), {"PATH="}), "needs ffmpeg");
  EXPECT_TRUE(folder.names().empty());
}

TEST(Film, AFailingFfmpegIsQuotedAndNothingIsLeft) {
  const Folder folder;
  const std::string before = folder.file("a.mp4", "was there");
  for (const char* lines : {"echo first >&2; echo \"Unknown encoder 'x'\" >&2; exit 1",
                            "head -c 100000 > /dev/null; echo \"Unknown encoder 'x'\" >&2; exit 1",
                            "cat > /dev/null; echo \"Unknown encoder 'x'\" >&2; exit 1"}) {
    const FakeFfmpeg ffmpeg(lines);
    expect_one_line(run(film(before), ffmpeg.environment()), "a.mp4: ffmpeg failed: Unknown encoder 'x'");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.mp4"}) << lines;
    EXPECT_EQ(text_of(before), "was there");
  }
  expect_one_line(run(film(folder.at("b.mp4")), FakeFfmpeg("kill -9 $$").environment()), "terminated by signal 9");
  expect_one_line(run(film(folder.at("b.gif")), FakeFfmpeg("exit 3").environment()), "status 3");
  expect_one_line(run(film(folder.at("b.mp4")), FakeFfmpeg("exit 0").environment()),
                  "ended before the film was complete");
  expect_one_line(run(film("/nowhere/deep/a.mp4"), FakeFfmpeg(counting).environment()), "/nowhere/deep/a.mp4");
  expect_one_line(run(film("/dev/null/a.mp4"), FakeFfmpeg(counting).environment()), "/dev/null/a.mp4");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.mp4"});
}

TEST(Film, OptionsThatDoNotGoTogether) {
  const FakeFfmpeg ffmpeg(counting);
  const Folder folder;
  for (const char* fps : {"0", "-5", "121"})
    expect_one_line(run(film(folder.at("a.mp4"), {std::string("--fps=") + fps}), ffmpeg.environment()), "1 to 120");
  expect_one_line(run(film(folder.at("a.mp4"), {"--fps", "many"}), ffmpeg.environment()), "--fps");
  expect_one_line(run(film(folder.at("a.mp4"), {"--at", "b2"}), ffmpeg.environment()), "--at b2");
  expect_one_line(run(film(folder.at("a.mp4"), {"--frames"}), ffmpeg.environment()), "give a folder");
  expect_one_line(run(film(folder.at("a.png"), {"--format", "svg"})), "--format svg");
  expect_one_line(run(film(folder.at("out"), {"--format", "jpg"})), "png or svg");
  EXPECT_TRUE(folder.names().empty());
}

// Interrupted while ffmpeg hangs and reads nothing: ffmpeg must end too.
TEST(Film, StoppedByASignalLeavesNothing) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const FakeFfmpeg ffmpeg("echo $$ > \"$here/pid\"; exec sleep 60");
    const Folder folder;
    Program program(film(folder.at("a.mp4")), ffmpeg.environment());
    const auto give_up = std::chrono::steady_clock::now() + 20s;
    while (ffmpeg.summary("pid").empty() && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(5ms);
    const int child = std::atoi(ffmpeg.summary("pid").c_str());
    ASSERT_GT(child, 0);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.mp4.partial"});
    kill(program.pid(), signal);
    EXPECT_EQ(program.wait().status, 128 + signal);
    EXPECT_TRUE(folder.names().empty()) << folder.names()[0];
    EXPECT_NE(kill(child, 0), 0) << "ffmpeg still runs";
  }
}

TEST(FilmFrames, AreNumberedPicturesAndNeedNoFfmpeg) {
  const Folder folder;
  const Outcome outcome = run(film(folder.at("out"), {"--frames", "--fps", "4"}), {"PATH="});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  const auto names = folder.names("out");
  ASSERT_EQ(names.size(), static_cast<std::size_t>(frames_of_boardroom(4)));
  EXPECT_EQ(names.front(), "frame-00001.png");
  EXPECT_EQ(names.back(), fmt::format("frame-{:05}.png", names.size()));
  const auto frame = [&](int n) { return draw::read_png(folder.at("out/" + names[static_cast<std::size_t>(n - 1)])); };
  ASSERT_TRUE(frame(1));
  const auto beats = beats_of_boardroom(4);
  const int second = beats[0].first + beats[0].second, pausing = second + beats[1].first;
  const int last = pausing + beats[1].second;
  EXPECT_NE(frame(second + 4), frame(second + 10));  // the second beat moves
  EXPECT_EQ(frame(pausing), frame(last));            // and pauses
  EXPECT_NE(frame(last), frame(last + 1));
  // The pause shows the beat as `render` draws it.
  EXPECT_EQ(run(film(folder.at("b2.png"), {"--at", "b2"})).status, 0);
  EXPECT_EQ(frame(last), draw::read_png(folder.at("b2.png")));
}

TEST(FilmFrames, StoppedByASignalLeavesNone) {
  const Folder folder;
  Program program(film(folder.at("out"), {"--frames", "--fps", "120"}));
  const auto give_up = std::chrono::steady_clock::now() + 20s;
  while (!std::filesystem::exists(folder.at("out/frame-00005.png")) && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(1ms);
  kill(program.pid(), SIGTERM);
  EXPECT_EQ(program.wait().status, 128 + SIGTERM);
  EXPECT_TRUE(folder.names("out").empty());
}

class RealFilm : public ::testing::TestWithParam<const char*> {};

TEST_P(RealFilm, IsPlayedBack) {
  const auto ffmpeg = real_ffmpeg();
  if (!ffmpeg) GTEST_SKIP() << "ffmpeg is not installed";
  const Folder folder;
  const std::string out = folder.at(std::string("a film: µ.") + GetParam());
  const Outcome outcome = run(film(out, {"--fps", "5"}));
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  ASSERT_EQ(folder.names().size(), 1u);
  // The last frame is the last beat's picture, except for compression.
  const std::string back = folder.at("back.png");
  const std::string command = ffmpeg->string() + " -v error -i 'file:" + out + "' -update 1 '" + back + "' < /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  ASSERT_EQ(run(film(folder.at("last.png"))).status, 0);
  const auto played = draw::read_png(back), drawn = draw::read_png(folder.at("last.png"));
  ASSERT_TRUE(played && drawn);
  ASSERT_EQ(played->pixels.size(), drawn->pixels.size());
  double off = 0;
  for (std::size_t i = 0; i < drawn->pixels.size(); ++i)
    for (const int shift : {0, 8, 16})
      off += std::abs(static_cast<int>(played->pixels[i] >> shift & 255) -
                      static_cast<int>(drawn->pixels[i] >> shift & 255));
  EXPECT_LT(off / static_cast<double>(3 * drawn->pixels.size()), 3) << "levels of 255, on average";
}

INSTANTIATE_TEST_SUITE_P(Kinds, RealFilm, ::testing::Values("mp4", "webm", "gif"),
                         [](const auto& one) { return std::string(one.param); });

TEST(RenderSvg, OneAndAFolder) {
  const Folder folder;
  EXPECT_EQ(run(film(folder.at("one.svg"), {"--at", "b2"})).status, 0);
  EXPECT_TRUE(text_of(folder.at("one.svg")).starts_with("<svg "));
  const Outcome outcome = run(film(folder.at("all"), {"--format", "svg"}));
  EXPECT_EQ(outcome.out, "7 pictures in " + folder.at("all") + "\n");
  ASSERT_EQ(folder.names("all").size(), 7u);
  EXPECT_EQ(folder.names("all")[1], "01-boardroom-02.svg");
  EXPECT_EQ(text_of(folder.at("all/01-boardroom-02.svg")), text_of(folder.at("one.svg")));
}

}  // namespace
}  // namespace warpwalk::testing
