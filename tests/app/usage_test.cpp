// Bad usage and bad input: exit status 2 and a one-line message with the problem, its place and a remedy.
#include <fcntl.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words,
                    const std::vector<std::string>& environment = {}) {
  const Outcome outcome = run(arguments, environment);
  std::string line = "warpwalk";
  for (const std::string& argument : arguments) line += " " + argument;
  EXPECT_EQ(outcome.status, 2) << line << "\n" << outcome.error;
  EXPECT_EQ(outcome.error_lines(), 1u) << line << "\n" << outcome.error;
  EXPECT_EQ(outcome.out, "") << line;
  EXPECT_TRUE(outcome.error.starts_with("warpwalk: ")) << line << "\n" << outcome.error;
  for (const std::string& word : words) EXPECT_THAT(outcome.error, ::testing::HasSubstr(word)) << line;
}

TEST(Usage, OptionsThatAreNot) {
  expect_refused({"render", walk("relu_matmul"), "--colour", "red"}, {"--colour", "warpwalk --help"});
  expect_refused({"info", walk("relu_matmul"), "--frobnicate"}, {"--frobnicate", "--help"});
  expect_refused({"info"}, {"FILE", "--help"});
  expect_refused({"simulate"}, {"FILE", "--help"});
  expect_refused({"simulate", "--accuracy", "cycles"}, {"--accuracy", "cycles", "launches", "--help"});
  expect_refused({"simulate", walk("relu_matmul"), "--accuracy", "launches"}, {"--accuracy", "leave out FILE"});
  expect_refused({"info", walk("relu_matmul"), "--memory-cap", "-1"}, {"--memory-cap"});
  expect_refused({"render", walk("relu_matmul"), "extra.json", "-o", "a.png"}, {"extra.json"});
  expect_refused({"render", walk("relu_matmul"), "-o"}, {"-o"});
}

TEST(Usage, AMistypedWordSuggestsTheRightOne) {
  const std::vector<std::string> none = {"DISPLAY=", "WAYLAND_DISPLAY="};
  expect_refused({"inf", walk("relu_matmul")}, {"unknown verb inf; did you mean info?", "--help"}, none);
  expect_refused({"rendr"}, {"unknown verb rendr; did you mean render?", "--help"}, none);
  expect_refused({"info", walk("relu_matmul"), "--jsn", "-"}, {"unknown option --jsn; did you mean --json?"});
  expect_refused({"render", walk("relu_matmul"), "--scne=map"}, {"unknown option --scne=map; did you mean --scene?"});
  expect_refused({"--lectrer"}, {"unknown option --lectrer; did you mean --lecturer?"}, none);
  expect_refused({"nothing-like-it"}, {"there is no such file"}, none);
}

TEST(Usage, NumbersThatAreNone) {
  const std::string file = walk("relu_matmul");
  expect_refused({"simulate", file, "--threads", "0"}, {"--threads: 0 is not a whole number from 1 to 4096"});
  expect_refused({"simulate", file, "--limit", "-3"}, {"--limit: -3 is not a whole number, 1 or more"});
  expect_refused({"simulate", file, "--limit", "1.5"}, {"--limit: 1.5 is not a whole number"});
  expect_refused({"info", file, "--memory-cap", "-1"}, {"--memory-cap: -1 is not a number above 0"});
  expect_refused({"render", file, "--fps", "abc", "-o", "/tmp/never.mp4"}, {"--fps: abc is not a "});
  expect_refused({"render", file, "-o"}, {"--output: its value is missing"});
}

TEST(Usage, ProgramsAreNoTraces) {
  const Folder folder;
  const std::string python = folder.file("train.py", "print(1)\n"),
                    cuda = folder.file("k.cu", "__global__ void k() {}\n");
  expect_refused({"info", python}, {"train.py", "not a trace", "warpwalk record"});
  expect_refused({"query", cuda, "SELECT 1"}, {"k.cu", "not a trace"});
  expect_refused({"info", folder.at("missing.py")}, {"missing.py"});
  // A kernel opens in the Kernel lab, which needs the window.
  expect_refused({cuda}, {"window"}, {"DISPLAY=", "WAYLAND_DISPLAY="});
}

TEST(Usage, WithoutADisplayTheWindowSaysWhatToUseInstead) {
  const std::vector<std::string> none = {"DISPLAY=", "WAYLAND_DISPLAY="};
  expect_refused({}, {"window", "warpwalk render FILE -o FOLDER"}, none);
  expect_refused({walk("relu_matmul")}, {"window", "warpwalk render FILE -o FOLDER"}, none);
  expect_refused({"--scene", "basement"}, {"--scene basement", "warpwalk render --list"}, none);
  expect_refused({"--at", "x"}, {"--at x"}, none);
  expect_refused({"--theme", "blue"}, {"--theme blue"}, none);
  expect_refused({"--frobnicate"}, {"--frobnicate", "--help"}, none);
}

TEST(Usage, NowhereToDrawToAndNothingToDraw) {
  expect_refused({"render"}, {"warpwalk render FILE -o out.png"});
  expect_refused({"render", walk("relu_matmul")}, {"-o out.png", "-o FOLDER"});
}

TEST(Usage, ValuesThatAreNone) {
  const std::string file = walk("relu_matmul");
  expect_refused({"render", file, "--text", "--scene", "basement"}, {"--scene basement: not a scene", "warpwalk render --list"});
  for (const char* at : {"b0", "x", "12", "b1.5", "12parsecs"})
    expect_refused({"render", file, "--text", "--at", at}, {"--at ", at, "b3 (beat), 12.5us (time)"});
  expect_refused({"render", file, "--text", "--at", "b99"}, {"--at b99", "b1 to b7"});
  expect_refused({"render", file, "--text", "--at", "c1500"}, {"--at c1500", "no kernel cycles"});
  for (const char* what : {"op", "op:x", "block:3", "3"})
    expect_refused({"render", file, "--text", "--follow", what}, {"--follow ", what, "op:N, kernel:N or launch:N"});
  expect_refused({"render", file, "--text", "--follow", "op:4"}, {"--follow op:4", "op:0 to op:3"});
  expect_refused({"render", file, "--text", "--follow", "kernel:2"}, {"--follow kernel:2", "kernel:0 to kernel:1"});
  expect_refused({"render", file, "--text", "--follow", "op:0/element:9999,0"},
                 {"--follow op:0/element:9999,0", "elements 0,0 to 1023,1023"});
  for (const char* size :
       {"0x0", "100x100", "1280", "1280x", "x720", "1280x720x3", "1280X720", "99999x720", "-1280x720"})
    expect_refused({"render", file, "-o", "/tmp/never.png", std::string("--size=") + size}, {"--size", "WIDTHxHEIGHT"});
  for (const char* theme : {"Dark", "blue"})
    expect_refused({"render", file, "-o", "/tmp/never.png", "--theme", theme},
                   {"--theme", "dark, light or high-contrast"});
  for (const char* scale : {"0.1", "9", "nan", "-1"})
    expect_refused({"render", file, "-o", "/tmp/never.png", std::string("--scale=") + scale}, {"--scale", "0.5 to 8"});
  expect_refused({"render", file, "-o", "/tmp/never.png", "--scale", "big"}, {"--scale", "big"});
}

TEST(Usage, FilesThatAreNoTrace) {
  const Folder folder;
  const std::string empty = folder.file("empty.json", "");
  const std::string words = folder.file("words.txt", "these are words\nand more\n");
  const std::string binary = folder.file("binary.gz", std::string("\x7f"
                                                                  "ELF\0\1\2\3\r\n\n",
                                                                  11));
  const std::string cut = folder.file("cut.json.gz", text_of(walk("relu_matmul")).substr(0, 12));
  const std::string newline = folder.at("two\nlines.json");
  for (const std::string& file : {folder.at("missing.json"), folder.path().string(), empty, words, binary, cut}) {
    expect_refused({"info", file}, {file});
    expect_refused({"render", file, "-o", folder.at("out")}, {file});
    expect_refused({"render", file, "--text"}, {file});
  }
  expect_refused({"info", newline}, {"two lines.json"});  // one line, even if the name contains a newline
  EXPECT_EQ(folder.names().size(), 4u) << "something was written";
}

TEST(Usage, PlacesThatCannotBeWritten) {
  const Folder folder;
  const std::string file = walk("relu_matmul");
  expect_refused({"render", file, "-o", "/nowhere/deep/out.png"}, {"/nowhere/deep/out.png"});
  expect_refused({"render", file, "-o", "/proc/warpwalk"}, {"/proc/warpwalk"});
  const std::string taken = folder.file("taken", "mine");
  expect_refused({"render", file, "-o", taken}, {taken});
  EXPECT_EQ(text_of(taken), "mine");
  expect_refused({"render", file, "--text", "-o", "/nowhere/deep/out.txt"}, {"/nowhere/deep/out.txt"});
  const Outcome info = run({"info", file, "--json", "/nowhere/deep/out.json"});
  EXPECT_EQ(info.status, 2);
  EXPECT_EQ(info.error_lines(), 1u) << info.error;
  EXPECT_THAT(info.error, ::testing::HasSubstr("/nowhere/deep/out.json"));
  // A picture over a folder of that name fails and leaves nothing half-written beside it.
  std::filesystem::create_directories(folder.path() / "folder.png");
  expect_refused({"render", file, "-o", folder.at("folder.png")}, {"folder.png"});
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"folder.png", "taken"}));
}

TEST(Usage, APictureOfAKindThatIsNotDrawnMakesNoFolderOfThatName) {
  const Folder folder;
  for (const char* name : {"out.jpg", "out.avi", "out.pdf"})
    expect_refused({"render", walk("relu_matmul"), "-o", folder.at(name)}, {name, ".png", ".svg", ".mp4"});
  EXPECT_TRUE(folder.names().empty());
}

TEST(Usage, NoAssets) {
  const std::string file = walk("relu_matmul");
  expect_refused({"render", file, "--text"}, {"/nowhere", "WARPWALK_ASSETS"}, {"WARPWALK_ASSETS=/nowhere"});
  // Verbs that need no assets work without them.
  EXPECT_EQ(run({"info", file}, {"WARPWALK_ASSETS=/nowhere"}).status, 0);
  EXPECT_EQ(run({"render", "--list"}, {"WARPWALK_ASSETS=/nowhere"}).status, 0);
}

TEST(Usage, ABrokenNarrationNamesItsLine) {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "narration/en");
  folder.file("narration/en/mine.txt", "# mine\n[boardroom]\nno colon\n");
  expect_refused({"render", walk("relu_matmul"), "--text"}, {"mine.txt: line 3: "},
                 {"WARPWALK_ASSETS=" + folder.path().string()});
}

TEST(Usage, ALanguageThatIsNotThereListsThoseThatAre) {
  const std::vector<std::string> none = {"DISPLAY=", "WAYLAND_DISPLAY="};
  expect_refused({"render", walk("relu_matmul"), "--text", "--language", "tlh"},
                 {"--language tlh", "unknown language; available: de, en"});
  expect_refused({"--language", "../en"}, {"--language ../en", "available: de, en"}, none);
  expect_refused({"--language", ""}, {"--language", "the value is empty"}, {"DISPLAY=", "WAYLAND_DISPLAY="});
}

TEST(Usage, AnotherLanguageIsUsedAndFallsBackToEnglish) {
  const Folder folder;
  for (const auto& entry : std::filesystem::directory_iterator(WARPWALK_SOURCE_DIR "/assets"))
    if (entry.path().filename() != "narration")
      std::filesystem::create_directory_symlink(entry.path(), folder.path() / entry.path().filename());
  std::filesystem::create_directories(folder.path() / "narration/de");
  std::filesystem::copy(WARPWALK_SOURCE_DIR "/assets/narration/en", folder.path() / "narration/en");
  folder.file("narration/de/frame.txt", "[frame]\nplace: Schritt {beat} von {beats}\n[fact]\ngrid: Gitter\n");
  const std::vector<std::string> assets = {"WARPWALK_ASSETS=" + folder.path().string()};
  const std::vector<std::string> words = {"render", walk("relu_matmul"), "--text", "--scene", "boardroom", "--at",
                                          "b5"};
  std::vector<std::string> german = words;
  german.insert(german.end(), {"--language", "de"});
  const Outcome outcome = run(german, assets), english = run(words, assets);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_NE(outcome.out, english.out);
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("Gitter: "));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("[measured]"));
  expect_refused({"render", walk("relu_matmul"), "--text", "--language", "fr"}, {"available: de, en"}, assets);
}

TEST(Usage, AFullDiskIsNoSuccess) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"render", walk("two_streams"), "--text"},
                                                    {"info", walk("relu_matmul")},
                                                    {"info", walk("relu_matmul"), "--json", "-"}}) {
    const Outcome outcome = run(arguments, {}, "/dev/full");
    EXPECT_EQ(outcome.status, 2) << arguments[0] << "\n" << outcome.error;
    EXPECT_EQ(outcome.error_lines(), 1u) << arguments[0] << "\n" << outcome.error;
  }
}

TEST(Usage, AnOutputThatIsNoFileIsWrittenToAndNotReplaced) {
  // A named pipe here; root would otherwise replace /dev/null or /dev/stdout with a file.
  const Folder folder;
  const std::string pipe = folder.at("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int end = open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(end, 0);
  const Outcome outcome = run({"info", walk("relu_matmul"), "--json", pipe});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  std::string text(1 << 16, ' ');
  const ssize_t got = read(end, text.data(), text.size());
  close(end);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_GT(got, 100) << "nothing came through the pipe";
}

TEST(Help, SaysWhatThereIsAndSucceeds) {
  for (const char* flag : {"--help", "-h"}) {
    const Outcome outcome = run({flag});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.error, "");
    for (const char* word : {"info", "render"}) EXPECT_THAT(outcome.out, ::testing::HasSubstr(word));
  }
  const Outcome render = run({"render", "--help"});
  EXPECT_EQ(render.status, 0);
  for (const char* word : {"--scene", "--at", "--follow", "--size", "--theme", "--text", "--list", "--format", "--fps",
                           "--frames", "--language", "--route"})
    EXPECT_THAT(render.out, ::testing::HasSubstr(word));
  EXPECT_EQ(run({"--version"}).status, 0);
  EXPECT_TRUE(run({"--version"}).out.starts_with("warpwalk ")) << run({"--version"}).out;
}

}  // namespace
}  // namespace warpwalk::testing
