// The start page: what it lists, and how it is used by keys and by mouse.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/pages/start/start_files.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

const std::filesystem::path assets = WARPWALK_SOURCE_DIR "/assets";

TEST(StartFiles, EveryRecordedWalkHasATitleAndSaysWhatItShows) {
  const pages::StartFiles shipped = pages::load_start_files(assets, english());
  const std::filesystem::directory_iterator walks(assets / "walks"), end;
  // The page lists only the first trace of a pair that was recorded before and after a change.
  const std::filesystem::directory_iterator pairs(assets / "what_if");
  EXPECT_EQ(shipped.walks.size(), static_cast<std::size_t>(std::distance(walks, end) + std::distance(pairs, end) / 2));
  const std::string order = english().text("walks", "order") + " ";
  for (const pages::RecordedWalk& walk : shipped.walks) {
    const std::string section = "walk." + pages::walk_name(walk.file);
    EXPECT_TRUE(english().has(section, "title")) << section;
    EXPECT_TRUE(english().has(section, "shows")) << section;
    EXPECT_THAT(order, ::testing::HasSubstr(pages::walk_name(walk.file) + " "))
        << walk.file << " is not in [walks] order";
  }
  EXPECT_EQ(shipped.walks.front().file.filename(), "h200_relu_matmul_inside.json.gz") << "the default walk comes first";
}

TEST(StartFiles, NoTextIsForAWalkThatIsNotThere) {
  std::istringstream order(english().text("walks", "order"));
  for (std::string name; order >> name;)
    EXPECT_TRUE(std::filesystem::exists(assets / "walks" / name) ||
                std::filesystem::exists(assets / "walks" / (name + ".json.gz")) ||
                std::filesystem::exists(assets / "what_if" / (name + ".json.gz")))
        << name;
}

TEST(StartFiles, EveryLessonIsListed) {
  const pages::StartFiles shipped = pages::load_start_files(assets, english());
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(assets / "lessons")) files += entry.is_regular_file();
  ASSERT_EQ(shipped.lessons.size(), files);
  for (const pages::ShippedLesson& lesson : shipped.lessons) {
    EXPECT_FALSE(lesson.title.empty());
    EXPECT_GT(lesson.steps, 0u);
  }
}

TEST(StartFiles, WithoutTextsAWalkIsListedByItsFile) {
  const pages::StartFiles shipped = pages::load_start_files(assets, story::Narration());
  ASSERT_FALSE(shipped.walks.empty());
  EXPECT_NE(std::ranges::find(shipped.walks, "h200_relu_matmul_inside.json.gz", &pages::RecordedWalk::title),
            shipped.walks.end());
}

// The items over the lessons that lead to trying something.
constexpr std::size_t tries = 3;

TEST(StartPage, EnterBeginsTheTour) {
  Driver driver;
  driver.shell.open_start_page();
  driver.open(walk_file("relu_matmul"));
  EXPECT_EQ(driver.shell.sheet(), "start");
  driver.press(Key::enter);
  EXPECT_EQ(driver.shell.sheet(), "");
  driver.wait();
  EXPECT_EQ(driver.shell.opened().document->file, walk_file("h200_relu_matmul_inside"));
  EXPECT_EQ(driver.shell.opened().stage->scene, "tour");
  EXPECT_EQ(driver.shell.opened().stage->beat, 1);
}

TEST(StartPage, EnterGoesOnInTheTour) {
  Driver driver;
  driver.shell.open_start_page();
  driver.press(Key::enter);
  driver.wait();
  driver.press(Key::right);
  driver.settle();
  driver.press(U'i');
  const std::vector<std::string> texts = driver.texts();
  const std::string resumes = english().text("start", "tour.resume", {{"place", driver.shell.opened().stage->place}});
  EXPECT_NE(std::ranges::find(texts, resumes), texts.end());
  driver.press(Key::enter);
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().stage->scene, "tour");
  EXPECT_EQ(driver.shell.opened().stage->beat, 2);
}

TEST(StartPage, TeachersAreLedToTheLessons) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'i');
  driver.press(Key::right);
  driver.press(Key::enter);
  EXPECT_EQ(driver.shell.sheet(), "start");
  driver.press(Key::enter);
  driver.wait();
  ASSERT_TRUE(driver.shell.opened().lesson);
  EXPECT_EQ(driver.shell.opened().lesson->file, pages::load_start_files(assets, english()).lessons.front().file);
}

TEST(StartPage, IsOneKeyAwayAndClosesByItAndByEscape) {
  Driver driver;
  driver.open(walk_file("two_streams"));
  driver.press(Key::right);
  driver.settle();
  const View before = driver.shell.opened().view;
  for (const bool escape : {false, true}) {
    driver.press(U'i');
    EXPECT_EQ(driver.shell.sheet(), "start");
    driver.press(Key::right);  // moves the cursor of the page, not the beat
    driver.press(U'k');        // no key of the page
    if (escape)
      driver.press(Key::escape);
    else
      driver.press(U'i');
    EXPECT_EQ(driver.shell.sheet(), "");
    EXPECT_EQ(driver.shell.opened().view, before);
  }
}

TEST(StartPage, AWalkIsChosenByArrowsAndALessonByTab) {
  Driver driver;
  driver.open(walk_file("two_streams"));
  driver.press(U'i');
  driver.press(Key::down);   // the first walk
  driver.press(Key::right);  // the one beside it
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().document->file, walk_file("pytorch_relu_matmul"));

  driver.press(U'i');
  const std::size_t walks = pages::load_start_files(assets, english()).walks.size();
  for (std::size_t i = 0; i < 3 + walks + story::labs().size() + tries; ++i) driver.press(Key::tab);
  driver.press(Key::enter);
  driver.wait();
  ASSERT_TRUE(driver.shell.opened().lesson);
  EXPECT_EQ(driver.shell.opened().lesson->file, pages::load_start_files(assets, english()).lessons.front().file);
}

TEST(StartPage, AFolderOfRanksOpensOnTheirComparison) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'i');
  const pages::StartFiles shipped = pages::load_start_files(assets, english());
  const auto folder =
      std::ranges::find(shipped.walks, assets / "walks" / "four_h200_pipeline", &pages::RecordedWalk::file);
  for (auto item = folder - shipped.walks.begin() + 3; item > 0; --item) driver.press(Key::tab);
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().view.scene, "ranks");
  ASSERT_NE(driver.shell.opened().document->ranks, nullptr);
  EXPECT_EQ(driver.shell.opened().document->ranks->ranks.size(), 4u);
  EXPECT_EQ(driver.shell.opened().document->file.filename(), "rank0.json.gz") << "the late one";
}

TEST(StartPage, TheCursorGoesRoundAndStaysInsideWithTheArrows) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'i');
  driver.press(Key::tab, true);  // back from the first item to the last
  driver.press(Key::tab);        // and round to the first
  for (const Key key : {Key::up, Key::left, Key::up}) driver.press(key);
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().stage->scene, "tour");
}

TEST(StartPage, LeadsToExercisesTheKernelLabALineAndAFile) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  const std::size_t before = 3 + pages::load_start_files(assets, english()).walks.size() + story::labs().size();
  std::size_t item = before;
  for (const char* page : {"exercise", "kernel", "run"}) {
    driver.press(U'i');
    for (std::size_t i = 0; i < item; ++i) driver.press(Key::tab);
    driver.press(Key::enter);
    EXPECT_EQ(driver.shell.sheet(), page);
    driver.press(Key::escape);
    ++item;
  }
  driver.press(U'i');
  driver.press(U'J');  // their keys do the same
  EXPECT_EQ(driver.shell.sheet(), "exercise");
  driver.press(Key::escape);
  driver.press(U'i');
  driver.press(Key::right);
  driver.press(Key::right);
  driver.press(Key::enter);
  EXPECT_EQ(driver.shell.sheet(), "files");
  driver.press(Key::escape);
  driver.press(U'i');
  driver.press(U'o');  // their keys do the same
  EXPECT_EQ(driver.shell.sheet(), "files");
}

TEST(StartPage, AWalkIsClickedAndRecentFilesAreListed) {
  const auto copy = std::filesystem::path(::testing::TempDir()) / "warpwalk_recent.json.gz";
  std::filesystem::copy_file(walk_file("two_streams"), copy, std::filesystem::copy_options::overwrite_existing);
  Driver driver(1600, 900);
  driver.open(copy);
  driver.press(U'i');
  driver.click(200, 320);  // the first walk
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().document->file, walk_file("h200_relu_matmul_inside"));
  driver.press(U'i');
  driver.press(Key::end);  // the last item is the file that was opened before
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().document->file, copy);
  std::filesystem::remove(copy);
}

TEST(StartPage, ALabIsListedAndOpened) {
  Driver driver(1600, 1400);
  driver.open(walk_file("two_streams"));
  driver.press(U'i');
  driver.frame();
  const std::vector<std::string> texts = driver.texts();
  EXPECT_NE(std::ranges::find(texts, "LABS"), texts.end());
  EXPECT_NE(std::ranges::find(texts, "Launch anatomy"), texts.end());
  const pages::StartFiles shipped = pages::load_start_files(assets, english());
  const std::size_t before_labs = 3 + shipped.walks.size(), lessons = shipped.lessons.size();
  const std::size_t before_lessons = before_labs + story::labs().size() + tries;
  const auto open_item = [&](std::size_t item) {
    for (std::size_t i = 0; i < item; ++i) driver.press(Key::tab);
    driver.press(Key::enter);
    driver.settle();
  };
  open_item(before_labs);
  EXPECT_EQ(driver.shell.opened().stage->scene, "lab/launch-anatomy");
  EXPECT_EQ(driver.shell.opened().document->file, walk_file("two_streams"));
  driver.press(U'i');
  open_item(before_lessons - tries - 1);
  EXPECT_EQ(driver.shell.opened().stage->scene, story::labs().back().name);
  driver.press(U'i');
  open_item(before_lessons + lessons);  // after the lessons comes composing one
  EXPECT_EQ(driver.shell.sheet(), "lesson");
  driver.press(Key::escape);
  driver.press(U'i');
  open_item(before_lessons);
  driver.wait();
  EXPECT_TRUE(driver.shell.opened().lesson);
}

// No description of a lab is cut.
TEST(StartPage, DescriptionsOfLabsAreWhole) {
  for (const float width : {960.0f, 1280.0f, 1920.0f}) {
    Driver driver(width, 6000);
    driver.shell.open_start_page();
    driver.frame();
    std::string all;
    for (const std::string& text : driver.texts()) all += text + " ";
    for (const story::Scene& lab : story::labs()) {
      const std::string shows = english().text("start." + std::string(lab.name), "shows");
      EXPECT_NE(all.find(shows), std::string::npos) << width << ": " << lab.name;
    }
  }
}

TEST(Labs, OpenFromTheirSceneByAKeyAndLeadBack) {
  Driver driver(1600, 900);
  driver.open(walk_file("two_streams"));
  for (const char* next : {"lab/receipts", "lab/why-gpus", "lab/host-device", "lab/forward-pass", "lab/collectives",
                           "lab/overview", "ranks", "boardroom"}) {
    driver.press(U'e');
    EXPECT_EQ(driver.shell.opened().stage->scene, next);
  }
  for (int i = 0; i < 10 && driver.shell.opened().stage->scene != "warehouse"; ++i) driver.press(Key::down);
  for (const char* next : {"lab/memory-hierarchy", "lab/tensors", "lab/allocator", "lab/storage", "warehouse"}) {
    driver.press(U'e');
    EXPECT_EQ(driver.shell.opened().stage->scene, next);
  }
  for (int i = 0; i < 10 && driver.shell.opened().stage->scene != "launch"; ++i) driver.press(Key::down);
  driver.press(U'e');
  ASSERT_EQ(driver.shell.opened().stage->scene, "lab/launch-anatomy");
  driver.press(Key::right);
  EXPECT_EQ(driver.shell.opened().stage->scene, "lab/launch-anatomy");
  EXPECT_EQ(driver.shell.opened().stage->beat, 2);
  driver.press(U'e');  // the next lab of the same scene
  EXPECT_EQ(driver.shell.opened().stage->scene, "lab/hierarchy");
  EXPECT_EQ(driver.shell.opened().stage->beat, 1);
  for (const char* next : {"lab/tiling", "lab/streams", "launch"}) {
    driver.press(U'e');
    EXPECT_EQ(driver.shell.opened().stage->scene, next);
  }
}

TEST(StartPage, IsDrawnAtEverySizeAndThemeWithoutATrace) {
  for (const auto& [width, height] : {std::pair{1280.0f, 800.0f}, {1463.0f, 823.0f}, {960.0f, 600.0f}}) {
    Driver driver(width, height);
    driver.shell.open_start_page();
    driver.frame();
    for (int theme = 0; theme < 3; ++theme) {
      const draw::Image image = driver.picture();
      const std::uint32_t ground = image.pixels.front();
      EXPECT_GT(std::ranges::count_if(image.pixels, [&](std::uint32_t pixel) { return pixel != ground; }), 10000);
      // Nothing touches the edges.
      for (int x = 0; x < image.width; ++x) ASSERT_EQ(image.pixels[static_cast<std::size_t>(x)], ground);
      for (int y = 0; y < image.height; ++y)
        ASSERT_EQ(image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width)], ground);
      driver.press(U't');
    }
  }
}

}  // namespace
}  // namespace warpwalk::shell
