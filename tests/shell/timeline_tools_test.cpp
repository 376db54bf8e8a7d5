// Search, pinned tracks, fields and notes of the timeline's page.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/pages/timeline/timeline_notes.h"
#include "core/story/elements/figure.h"
#include "core/story/elements/walk.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

bool shows(Driver& driver, std::string_view words) {
  const auto texts = driver.texts();
  return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

// The place of the first text that begins so, among all texts in the order in which they are drawn.
std::size_t place_of_text(Driver& driver, std::string_view beginning) {
  const auto texts = driver.texts();
  const auto found = std::ranges::find_if(texts, [&](const std::string& text) { return text.starts_with(beginning); });
  EXPECT_NE(found, texts.end()) << beginning;
  return static_cast<std::size_t>(found - texts.begin());
}

const trace::Trace& trace_in(const Driver& driver) { return driver.shell.opened().document->trace(); }

TEST(TimelineSearchPage, EnterGoesFromMatchToMatch) {
  Driver driver(1600, 900);
  driver.open(walk_file("mlp_train"));
  const trace::Trace& trace = trace_in(driver);
  std::vector<trace::SliceId> kernels;  // by start
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s) {
    std::string name(trace.name(s));
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (name.find("gemm") != std::string::npos && story::has_time(trace, s)) kernels.push_back(s);
  }
  std::ranges::stable_sort(kernels, {}, [&](trace::SliceId s) { return trace.slices.start[s]; });
  ASSERT_GT(kernels.size(), 2u);
  driver.press(U't', true);
  driver.press(U'/');
  driver.type("GEMM");
  EXPECT_TRUE(shows(driver, fmt::format("{} found", kernels.size())));
  driver.press(Key::enter);
  EXPECT_TRUE(shows(driver, fmt::format("1 of {}", kernels.size())));
  driver.press(Key::enter);
  EXPECT_TRUE(shows(driver, fmt::format("2 of {}", kernels.size())));
  driver.press(Key::enter, true);
  driver.press(Key::enter, true);
  EXPECT_TRUE(shows(driver, fmt::format("{0} of {0}", kernels.size())));
  EXPECT_EQ(driver.shell.sheet(), "timeline");
  // Out of the field, keys are those of the page again: the last match is followed.
  driver.press(Key::down);
  driver.press(Key::enter);
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().view.follow, story::follow_name(trace, kernels.back()));
}

TEST(TimelineSearchPage, EscTakesItBackBeforeItLeavesThePage) {
  Driver driver(1280, 720);
  driver.open(walk_file("relu_matmul"));
  driver.press(U't', true);
  driver.press(U'/');
  driver.type("no such name");
  EXPECT_TRUE(shows(driver, "not found"));
  driver.press(Key::enter);
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "timeline");
  EXPECT_FALSE(shows(driver, "not found"));
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST(TimelineFields, AreListedAndCopied) {
  Driver driver(1600, 900);
  driver.open(walk_file("h200_pytorch_training_step"));
  const trace::Trace& trace = trace_in(driver);
  const trace::SliceId kernel = driver.shell.opened().walk.kernel;
  ASSERT_NE(kernel, trace::no_slice);
  ASSERT_EQ(trace.slices.kind[kernel], trace::SliceKind::kernel);
  driver.press(U't', true);
  driver.press(U'c');
  EXPECT_EQ(driver.copied, trace.name(kernel));
  driver.press(U'C');
  const trace::KernelDetail& detail = trace.kernels[trace.slices.detail[kernel]];
  for (const std::string& line :
       {fmt::format("\ncorrelation: {}\n", detail.correlation),
        fmt::format("\nregisters per thread: {}\n", detail.registers),
        fmt::format("\ngrid: [{}, {}, {}]\n", detail.grid[0], detail.grid[1], detail.grid[2])})
    EXPECT_NE(driver.copied.find(line), std::string::npos) << line << driver.copied;
  EXPECT_NE(driver.copied.find(trace.name(kernel)), std::string::npos);
  // Those at the end of the list are reached by scrolling.
  EXPECT_TRUE(shows(driver, "Ends at"));
  driver.wheel(100, 780, -100);
  EXPECT_FALSE(shows(driver, "Ends at"));
}

TEST(TimelinePins, KeepATrackAtTheTopOfItsTrace) {
  Driver driver(1600, 900);
  const auto stream_is_first = [&] {
    return place_of_text(driver, "GPU 0 stream 7") < place_of_text(driver, "CPU thread");
  };
  driver.open(walk_file("relu_matmul"));  // its kernel is chosen
  driver.press(U't', true);
  EXPECT_FALSE(stream_is_first());
  driver.press(U'p');
  EXPECT_TRUE(stream_is_first());
  driver.press(Key::escape);
  driver.open(walk_file("mlp_train"));
  driver.press(U't', true);
  EXPECT_FALSE(stream_is_first());
  driver.press(Key::escape);
  driver.open(walk_file("relu_matmul"));
  driver.press(U't', true);
  EXPECT_TRUE(stream_is_first());
  driver.press(U'p');
  EXPECT_FALSE(stream_is_first());
}

TEST(TimelineRange, NamesAllThatRunsInIt) {
  Driver driver(1600, 900);
  driver.open(walk_file("mlp_train"));
  const trace::Trace& trace = trace_in(driver);
  std::set<std::string_view> names;
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace::is_gpu_work(trace.slices.kind[s]) && story::has_time(trace, s)) names.insert(trace.name(s));
  ASSERT_GT(names.size(), 15u);
  driver.press(U't', true);
  driver.drag(195, 300, 1575, 320);
  EXPECT_TRUE(shows(driver, fmt::format("GPU ({})", names.size())));
}

class TimelineNotes : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::path(::testing::TempDir()) / ("warpwalk_timeline_notes." + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    trace = folder / "walk.json.gz";
    std::filesystem::copy_file(walk_file("relu_matmul"), trace);
    file = pages::notes_file(trace);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder, trace, file;
};

TEST_F(TimelineNotes, AreKeptBesideTheTrace) {
  {
    Driver driver(1600, 900);
    driver.open(trace);
    driver.press(U't', true);
    driver.press(U'n');
    driver.type("too slow");
    EXPECT_FALSE(std::filesystem::exists(file));  // nothing was written yet
    driver.press(Key::enter);
    EXPECT_TRUE(shows(driver, "too slow"));
    const auto notes = pages::read_notes(file);
    ASSERT_TRUE(notes) << notes.error();
    ASSERT_EQ(notes->size(), 1u);
    const trace::SliceId kernel = driver.shell.opened().walk.kernel;
    EXPECT_EQ(notes->front().text, "too slow");
    EXPECT_EQ(notes->front().slice, trace_in(driver).name(kernel));
    EXPECT_EQ(notes->front().from, trace_in(driver).slices.start[kernel] - trace_in(driver).begin_ns);
    EXPECT_EQ(notes->front().to - notes->front().from, trace_in(driver).slices.duration[kernel]);
  }
  Driver driver(1600, 900);
  driver.open(trace);
  driver.press(U't', true);
  EXPECT_FALSE(shows(driver, "too slow"));
  driver.press(Key::home);  // another slice is chosen
  driver.press(U'l');
  EXPECT_TRUE(shows(driver, "too slow"));
  driver.press(Key::enter);  // back to the one with the note
  EXPECT_EQ(driver.shell.sheet(), "timeline");
  driver.press(U'n');
  driver.press(U'a', true);
  driver.press(Key::backspace);
  driver.press(Key::enter);
  EXPECT_FALSE(shows(driver, "too slow"));
  const auto notes = pages::read_notes(file);
  ASSERT_TRUE(notes) << notes.error();
  EXPECT_TRUE(notes->empty());
}

TEST_F(TimelineNotes, OfADamagedFileAreNotWrittenOver) {
  std::ofstream(file) << "{";
  Driver driver(1600, 900);
  driver.open(trace);
  driver.press(U't', true);
  driver.press(U'n');
  EXPECT_TRUE(shows(driver, "not JSON"));
  EXPECT_EQ(file_text(file), "{");
}

// The page says all of its keys in every size of the window, and draws no row that is cut.
TEST(TimelineSizes, ShowAllKeys) {
  std::vector<std::string> keys;
  const std::string all = english().text("timeline", "keys");
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find("   ", at), all.size());
    keys.push_back(all.substr(at, end - at));
    at = end + 3;
  }
  ASSERT_GT(keys.size(), 10u);
  for (const auto& [width, height] : {std::pair{960.0f, 600.0f}, {1280.0f, 720.0f}, {1920.0f, 1080.0f}}) {
    Driver driver(width, height);
    driver.open(walk_file("mlp_train"));
    driver.press(U't', true);
    for (const std::string& key : keys) EXPECT_TRUE(shows(driver, key)) << key << " at " << width;
    EXPECT_TRUE(shows(driver, "GPU 0 stream 7")) << width;  // the chosen kernel's row
    EXPECT_TRUE(shows(driver, "Copy name (C)")) << width;
  }
}

}  // namespace
}  // namespace warpwalk::shell
