// `render` as people and scripts use it.
#include <algorithm>
#include <sstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/draw/image.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

Outcome expect_done(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {}) {
  Outcome outcome = run(arguments, environment);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  return outcome;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(RenderList, NamesTheScenesOneALine) {
  const Outcome outcome = expect_done({"render", "--list"});
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.out.starts_with("tour\nboardroom\n")) << outcome.out;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("\nmap\nlab/launch-anatomy\n"));
  // --scene accepts every name of the list.
  std::size_t from = 0;
  for (std::size_t end; (end = outcome.out.find('\n', from)) != std::string::npos; from = end + 1) {
    const std::string name = outcome.out.substr(from, end - from);
    const std::string file = walk(name == "tour" ? "h200_relu_matmul_inside" : "two_streams");
    EXPECT_TRUE(expect_done({"render", file, "--text", "--scene", name}).out.starts_with(name + " 1/"));
  }
}

// Names in a file cannot send commands to a terminal.
TEST(RenderText, HasNoControlCharacters) {
  const Folder folder;
  const std::string file = folder.file(
      "escape.json",
      R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::\u001b[2Jmm\u0007", "pid": 1, "tid": 1, "ts": 1, "dur": 5}]})");
  const std::string text = expect_done({"render", file, "--text"}).out;
  EXPECT_THAT(text, ::testing::HasSubstr("aten:: [2Jmm"));
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

TEST(RenderPicture, IsThePngAskedFor) {
  const Folder folder;
  const Outcome outcome = expect_done(
      {"render", walk("relu_matmul"), "-o", folder.at("one.png"), "--scene", "map", "--at", "b2", "--size", "800x600"});
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.out, "1 picture in " + folder.at("one.png") + "\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"one.png"});
  const std::optional<draw::Image> image = draw::read_png(folder.at("one.png"));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->width, 800);
  EXPECT_EQ(image->height, 600);
}

TEST(RenderPicture, IsFullHdAndTheLastBeatUnlessToldOtherwise) {
  const Folder folder;
  expect_done({"render", walk("relu_matmul"), "-o", folder.at("default.png")});
  expect_done({"render", walk("relu_matmul"), "-o", folder.at("b7.png"), "--scene", "boardroom", "--at", "b7",
               "--theme", "dark"});
  const std::optional<draw::Image> image = draw::read_png(folder.at("default.png"));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->width, 1920);
  EXPECT_EQ(image->height, 1080);
  EXPECT_EQ(image, draw::read_png(folder.at("b7.png")));
}

TEST(RenderPicture, ThemesAndScalesDiffer) {
  const Folder folder;
  const auto picture = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"render", walk("relu_matmul"), "-o", folder.at("a.png"), "--size", "640x360"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_done(arguments);
    return draw::read_png(folder.at("a.png")).value_or(draw::Image{});
  };
  const draw::Image dark = picture({"--theme", "dark"});
  EXPECT_NE(picture({"--theme", "light"}), dark);
  EXPECT_NE(picture({"--theme", "high-contrast"}), dark);
  EXPECT_NE(picture({"--scale", "0.75"}), dark);
  EXPECT_EQ(picture({}), dark);
  for (const char* scale : {"0.5", "8"}) EXPECT_EQ(picture({"--scale", scale}).width, 640);  // even where nothing fits
}

TEST(RenderFolder, HoldsEveryBeatOfEveryScene) {
  const Folder folder;
  const Outcome outcome =
      expect_done({"render", walk("two_streams"), "-o", folder.at("deep/out"), "--size", "640x360"});
  const std::vector<std::string> wanted = {"01-boardroom-01.png", "01-boardroom-02.png", "01-boardroom-03.png",
                                           "01-boardroom-04.png", "01-boardroom-05.png", "08-map-01.png",
                                           "08-map-02.png",       "08-map-03.png",       "08-map-04.png",
                                           "08-map-05.png",       "08-map-06.png",       "08-map-07.png"};
  const std::vector<std::string> names = folder.names("deep/out");
  for (const std::string& name : wanted)
    EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
  EXPECT_EQ(outcome.out, std::to_string(names.size()) + " pictures in " + folder.at("deep/out") + "\n");
}

TEST(RenderFolder, OfOneSceneOrOneMomentHoldsNoMore) {
  const Folder folder;
  expect_done({"render", walk("two_streams"), "-o", folder.at("map"), "--scene", "map", "--size", "640x360"});
  EXPECT_EQ(folder.names("map").size(), 7u);
  expect_done(
      {"render", walk("two_streams"), "-o", folder.at("one"), "--scene", "map", "--at", "b2", "--size", "640x360"});
  EXPECT_EQ(folder.names("one"), std::vector<std::string>{"08-map-02.png"});
}

TEST(RenderText, GoesToStdoutOrToAFile) {
  const Folder folder;
  const Outcome outcome = expect_done({"render", walk("two_streams"), "--text"});
  EXPECT_EQ(outcome.error, "");
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("boardroom 1/7  "));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("\nmap 7/7  "));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("[measured]"));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("[derived: "));
  EXPECT_EQ(expect_done({"render", walk("two_streams"), "--text", "-o", "-"}).out, outcome.out);
  EXPECT_EQ(expect_done({"render", walk("two_streams"), "--text", "-o", folder.at("walk.txt")}).out, "");
  EXPECT_EQ(text_of(folder.at("walk.txt")), outcome.out);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"walk.txt"});
}

TEST(RenderAt, TakesBeatsAndTimes) {
  const auto beat = [](const std::string& scene, const std::string& at) {
    const std::string line =
        first_line(expect_done({"render", walk("relu_matmul"), "--text", "--scene", scene, "--at", at}).out);
    return line.substr(0, line.find("  "));
  };
  EXPECT_EQ(beat("boardroom", "b1"), "boardroom 1/7");
  EXPECT_EQ(beat("boardroom", "b3"), "boardroom 3/7");
  EXPECT_EQ(beat("boardroom", "0us"), "boardroom 1/7");
  // The launch goes from 1,811.3 to 1,838.3, the kernel ends at 1,893.5.
  EXPECT_EQ(beat("boardroom", "1820us"), "boardroom 5/7");
  EXPECT_EQ(beat("boardroom", "1820µs"), "boardroom 5/7");
  EXPECT_EQ(beat("boardroom", "1.82ms"), "boardroom 5/7");
  EXPECT_EQ(beat("boardroom", "1820000ns"), "boardroom 5/7");
  EXPECT_EQ(beat("boardroom", "1850us"), "boardroom 6/7");
  EXPECT_EQ(beat("boardroom", "1s"), "boardroom 7/7");
  EXPECT_EQ(beat("map", "1850us"), "map 5/10");
  EXPECT_EQ(beat("boardroom", "launch"), "boardroom 5/7");
  EXPECT_EQ(beat("map", "closing"), "map 10/10");
}

TEST(RenderPicture, DoesNotGoToStdout) {
  const Outcome outcome = run({"render", walk("relu_matmul"), "-o", "-"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error,
            "warpwalk: -o -: pictures cannot be written to stdout; give a file, for example -o out.png, or a folder\n");
}

TEST(RenderAt, ABeatThatIsNotThereLeavesNoFolder) {
  const Folder folder;
  const Outcome outcome = run({"render", walk("relu_matmul"), "-o", folder.at("new"), "--at", "b99"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error, "warpwalk: --at b99: the scene boardroom has the beats b1 to b7\n");
  EXPECT_TRUE(folder.names().empty());
}

TEST(RenderAt, ABeatThatTheSceneDoesNotHaveIsAnError) {
  const Outcome outcome = run({"render", walk("relu_matmul"), "--text", "--at", "lunch"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error,
            "warpwalk: --at lunch: the scene boardroom has no such beat here; it has line, company, call, descend, "
            "launch, return, meanwhile\n");
}

TEST(RenderFollow, ShowsWhatIsFollowed) {
  const auto text = [](const std::string& what, const std::string& scene = "translator") {
    return expect_done({"render", walk("relu_matmul"), "--text", "--scene", scene, "--follow", what}).out;
  };
  EXPECT_THAT(text("op:2", "boardroom"), ::testing::HasSubstr("aten::relu, on the CPU"));
  EXPECT_THAT(text("kernel:1"), ::testing::HasSubstr("vectorized_elementwise_kernel"));
  EXPECT_THAT(text("kernel:1"), ::testing::Not(::testing::HasSubstr("sm80_xmma")));
}

TEST(RenderFollow, AnElementIsTheNumberOfEveryScene) {
  const auto text = [](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"render", walk("relu_matmul"), "--text", "--scene", "boardroom"};
    words.insert(words.end(), more.begin(), more.end());
    return expect_done(words).out;
  };
  const std::string chosen = text({"--follow", "element:1,2"});
  EXPECT_THAT(chosen, ::testing::HasSubstr("\n  followed: c[1, 2] = ?"));
  EXPECT_THAT(chosen, ::testing::Not(::testing::HasSubstr("c[1, 3]")));
  EXPECT_THAT(text({"--follow", "op:0/element:1023,7"}), ::testing::HasSubstr("followed: c[1023, 7] = ?"));
}

TEST(RenderRoute, TheFirstIsShorterAndGoesThroughEveryScene) {
  const auto beats = [](const std::string& route) {
    const std::string text = expect_done({"render", walk("two_streams"), "--text", "--route", route}).out;
    EXPECT_TRUE(text.starts_with("boardroom 1/")) << text.substr(0, 40);
    std::vector<std::string> heads;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with(" ") && line.find('/') != std::string::npos && line.find("  ") != std::string::npos)
        heads.push_back(line.substr(0, line.find("  ")));
    return heads;
  };
  const std::vector<std::string> first = beats("first"), all = beats("all");
  EXPECT_LT(first.size(), all.size());
  for (const std::string& head : first) EXPECT_NE(std::ranges::find(all, head), all.end()) << head;
  for (const char* const scene : {"boardroom", "translator", "warehouse", "launch", "sm", "schedulers", "lanes", "map"})
    EXPECT_TRUE(std::ranges::any_of(first, [&](const std::string& head) { return head.starts_with(scene); })) << scene;
  EXPECT_EQ(run({"render", walk("relu_matmul"), "--text", "--route", "third"}).status, 2);
}

// A walk that has the tour: its first route is the tour.
TEST(RenderRoute, TheFirstOfTheDefaultWalkIsItsTour) {
  const std::string file = walk("h200_relu_matmul_inside");
  const std::string text = expect_done({"render", file, "--text", "--route", "first"}).out;
  EXPECT_TRUE(text.starts_with("tour 1/")) << text.substr(0, 40);
  EXPECT_EQ(text.find("\nboardroom "), std::string::npos);
  EXPECT_EQ(text, expect_done({"render", file, "--text", "--scene", "tour"}).out);
  const Folder folder;
  expect_done({"render", file, "--route", "first", "--size", "640x360", "-o", folder.at("steps")});
  ASSERT_FALSE(folder.names("steps").empty());
  for (const std::string& name : folder.names("steps")) EXPECT_TRUE(name.starts_with("00-tour-")) << name;
  expect_done({"render", file, "--route", "first", "-o", folder.at("steps.html")});
  EXPECT_THAT(text_of(folder.at("steps.html")), ::testing::HasSubstr("<html"));
}

TEST(RenderScene, TheTourIsRefusedWhereTheWalkHasNone) {
  const Folder folder;
  for (const std::string out : {"one.png", "steps", "steps.html"}) {
    const Outcome outcome = run({"render", walk("two_streams"), "--scene", "tour", "-o", folder.at(out)});
    EXPECT_EQ(outcome.status, 2) << out;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr("--scene tour: ")) << outcome.error;
  }
  EXPECT_EQ(run({"render", walk("two_streams"), "--scene", "tour", "--at", "line", "--text"}).status, 2);
}

TEST(RenderFile, MayHaveAnyName) {
  const Folder folder;
  const std::string name = folder.file("Größe µ 测试 of two.json.gz", text_of(walk("relu_matmul")));
  expect_done({"render", name, "-o", folder.at("bild µ.png"), "--size", "640x360"});
  EXPECT_TRUE(draw::read_png(folder.at("bild µ.png")));
  EXPECT_THAT(expect_done({"info", name}).out, ::testing::Not(::testing::HasSubstr("?")));
}

TEST(RenderFile, OnlyTheCpuAndNothingAtAll) {
  const Folder folder;
  const std::string cpu = folder.file(
      "cpu.json",
      R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]})");
  const Outcome text = expect_done({"render", cpu, "--text"});
  EXPECT_THAT(text.out, ::testing::HasSubstr("No GPU work of aten::relu in this trace"));
  const std::string none = folder.file("none.json", R"({"schemaVersion": 1, "traceEvents": []})");
  const Outcome empty = expect_done({"render", none, "--text"});
  EXPECT_THAT(empty.out, ::testing::HasSubstr("No op to follow"));
  expect_done({"render", cpu, "-o", folder.at("cpu"), "--size", "640x360"});
  expect_done({"render", none, "-o", folder.at("none"), "--size", "640x360"});
}

TEST(RenderFile, DamagedStillShowsWhatIsLeftAndNamesTheProblems) {
  const Folder folder;
  const std::string whole = text_of(walk("relu_matmul"));
  const std::string cut = folder.file("cut.json.gz", whole.substr(0, whole.size() * 9 / 10));
  const Outcome outcome = expect_done({"render", cut, "-o", folder.at("cut.png"), "--size", "640x360"});
  EXPECT_TRUE(draw::read_png(folder.at("cut.png")));
  EXPECT_GE(outcome.error_lines(), 1u);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("cut.json.gz: "));
  EXPECT_EQ(expect_done({"render", walk("two_streams"), "--text"}).error, "");
}

TEST(RenderAssets, AreFoundWhereTheVariablePoints) {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "narration");
  std::string text = text_of(WARPWALK_SOURCE_DIR "/assets/narration/en/boardroom.txt");
  const std::string title = "title: Python calls the op {root}";
  ASSERT_THAT(text, ::testing::HasSubstr(title));
  text.replace(text.find(title), title.size(), "title: Python fragt nach {root}");
  std::filesystem::copy(WARPWALK_SOURCE_DIR "/assets/devices", folder.path() / "devices");
  std::filesystem::copy(WARPWALK_SOURCE_DIR "/assets/narration/en", folder.path() / "narration/en");
  folder.file("narration/en/boardroom.txt", text);
  const Outcome outcome =
      expect_done({"render", walk("relu_matmul"), "--text"}, {"WARPWALK_ASSETS=" + folder.path().string()});
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("Python fragt nach aten::matmul"));
}

// A setting that nothing would follow is refused, with what there is.
TEST(RenderSet, NamesAControlThatTheSceneDoesNotHave) {
  const Folder folder;
  const auto refused = [&](const std::string& setting) {
    const Outcome outcome =
        run({"render", walk("relu_matmul"), "--scene", "sm", "--at", "b4", "-o", folder.at("x.png"), "--set", setting});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_TRUE(folder.names().empty());
    return outcome.error;
  };
  const std::string control = refused("sm.registres=64");
  EXPECT_THAT(control, ::testing::HasSubstr("--set sm.registres: the scene sm has no such control; it has "));
  EXPECT_THAT(control, ::testing::HasSubstr("registers"));
  const std::string scene = refused("ms.registers=64");
  EXPECT_THAT(scene, ::testing::HasSubstr("ms is not a scene; see warpwalk render --list"));
  expect_done({"render", walk("relu_matmul"), "--scene", "sm", "--at", "b4", "-o", folder.at("x.png"), "--set",
               "sm.registers=64"});
  // A control that is set in the picture has no label, but --set knows it.
  expect_done({"render", walk("relu_matmul"), "--scene", "lab/hierarchy", "--at", "b2", "-o", folder.at("y.png"),
               "--set", "lab/hierarchy.thread=40"});
}

}  // namespace
}  // namespace warpwalk::testing
