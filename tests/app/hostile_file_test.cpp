// Files that a user may be handed: nothing of them reaches the terminal as a command, each is refused in one line, and
// none blocks the program.
#include <algorithm>
#include <chrono>
#include <thread>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

bool has_control_character(const std::string& text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return true;
  return false;
}

TEST(HostileFile, EscapesInNamesStayInTheFile) {
  const Folder folder;
  const std::string file = folder.file(
      "names.json",
      R"({"deviceProperties": [{"id": 0, "name": "GPU \u001b[2J\u0000\u007f", "numSms": 2}], "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "k \u001b]0;pwned\u0007", "pid": 0, "tid": 7, "ts": 1, "dur": 2,
 "args": {"device": 0, "stream": 7}}]})");
  const Outcome info = run({"info", file});
  EXPECT_EQ(info.status, 0) << info.error;
  EXPECT_THAT(info.out, ::testing::HasSubstr("pwned"));
  EXPECT_FALSE(has_control_character(info.out)) << info.out;
}

TEST(HostileFile, NorDoesADamagedEventReachTheTerminalRaw) {
  const Folder folder;
  const std::string file = folder.file(
      "damaged.json",
      "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, "
      "\"ts\": 1, \"dur\": 5},\n{\"name\": \"p\", \"args\": {\"name\": \"x\" \x7f\x1b[2J\n }, "
      "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"b\", \"pid\": 1, \"tid\": 1, \"ts\": 9, \"dur\": 5}]}");
  const Outcome info = run({"info", file});
  EXPECT_THAT(info.out, ::testing::HasSubstr("lost_event"));
  EXPECT_FALSE(has_control_character(info.out)) << info.out;
  const Outcome rendered = run({"render", file, "--text"});
  EXPECT_EQ(rendered.status, 0);
  EXPECT_THAT(rendered.error, ::testing::HasSubstr("lost_event"));
  EXPECT_FALSE(has_control_character(rendered.error)) << rendered.error;
}

TEST(HostileFile, OneLineIsAllThatIsSaidOfARefusal) {
  const Folder folder;
  const std::string file = folder.file(
      "lost.json",
      R"({"traceEvents": [7, {"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 5}]})");
  const Outcome outcome = run({"render", file, "--scene", "map", "--at", "b99", "--text"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("--at b99"));
}

TEST(HostileFile, ALongNameIsShortened) {
  const Folder folder;
  const std::string name(100000, 'A');
  const std::string device =
      folder.file("device.json", R"({"id": "x", "name": "x", "parameters": {"sm_count": {"value": 4, "unit": ")" +
                                     name + R"(", "status": "spec", "source": "x"}}})");
  const std::string launch = folder.file("launch.json", R"({"kernel": ")" + name + R"(", "ptx": "none.ptx"})");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "relu(a)", "--shape", "a=4", "--gpu", device}, {"simulate", launch}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.error_lines(), 1u);
    EXPECT_LT(outcome.error.size(), 2200u);
  }
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

TEST(HostileFile, ALongNameIsShortenedOnStdoutButNotInJsonOrFiles) {
  const Folder folder;
  std::string words;
  for (int i = 0; i < 50000; ++i) words += "A ";
  for (const std::string& name : {std::string(100000, 'A'), words}) {
    const std::string file = folder.file("long.json", R"({"deviceProperties": [{"id": 0, "name": ")" + name +
                                                          R"(", "numSms": 2}], "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "op )" + name + R"(", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]})");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"info", file}, {"render", file, "--scene", "map", "--text"}}) {
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.status, 0) << outcome.error;
      EXPECT_THAT(outcome.out, ::testing::HasSubstr("bytes)...")) << arguments[0];
      EXPECT_LT(longest_line(outcome.out), 4200u) << arguments[0];
    }
    EXPECT_GE(longest_line(run({"info", file, "--json", "-"}).out), 99999u);
    ASSERT_EQ(run({"render", file, "--scene", "map", "--text", "-o", folder.at("map.txt")}).status, 0);
    EXPECT_GE(longest_line(text_of(folder.at("map.txt"))), 99999u);
  }
}

TEST(HostileFile, JsonThatIsNoTraceIsCalledWhatItIs) {
  const Folder folder;
  const std::string source = WARPWALK_SOURCE_DIR;
  const std::string other = folder.file("other.json", R"({"some": 1, "thing": [2]})");
  for (const auto& [file, what] :
       std::vector<std::pair<std::string, std::string>>{{source + "/assets/lessons/first_walk.json", "is a lesson"},
                                                        {source + "/tests/cases/bits/launch.json", "is a launch file"},
                                                        {source + "/assets/devices/h200.json", "describes a GPU"},
                                                        {other, "without traceEvents"}}) {
    std::vector<std::vector<std::string>> verbs = {{"info", file}};
    if (what != "is a lesson") verbs.push_back({"render", file, "--text"});  // a lesson is rendered
    for (const std::vector<std::string>& arguments : verbs) {
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.status, 2) << file;
      EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
      EXPECT_THAT(outcome.error, ::testing::HasSubstr(what));
    }
  }
}

TEST(HostileFile, NoPipeOrDeviceIsReadAsADescription) {
  const Folder folder;
  ASSERT_EQ(mkfifo(folder.at("pipe.json").c_str(), 0600), 0);
  for (const std::string& file : {folder.at("pipe.json"), std::string("/dev/zero")})
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"run", "relu(a)", "--shape", "a=4", "--gpu", file}, {"simulate", file}}) {
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.status, 2) << file;
      EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
      EXPECT_THAT(outcome.error, ::testing::HasSubstr("is not a regular file"));
    }
  const Outcome zero = run({"info", "/dev/zero"});
  EXPECT_EQ(zero.status, 2);
  EXPECT_THAT(zero.error, ::testing::HasSubstr("is a device"));
  const std::string large = folder.file("large.json", std::string((1 << 20) + 1, ' '));
  EXPECT_THAT(run({"run", "relu(a)", "--shape", "a=4", "--gpu", large}).error,
              ::testing::HasSubstr("larger than 1 MiB"));
}

TEST(HostileFile, DoctorDoesNotWaitForAPipeInPlaceOfSettings) {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "warpwalk");
  ASSERT_EQ(mkfifo(folder.at("warpwalk/settings.json").c_str(), 0600), 0);
  const Outcome doctor = run({"doctor"}, {"XDG_CONFIG_HOME=" + folder.path().string()});
  EXPECT_EQ(doctor.status, 0);
  EXPECT_THAT(doctor.out, ::testing::HasSubstr("settings.json: is not a regular file"));
}

TEST(HostileFile, APipeThatNobodyReadsIsNotWaitedForAsAnOutput) {
  const Folder folder;
  const std::string pipe = folder.at("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string trace = folder.at("walk.json");
  ASSERT_EQ(mkfifo(trace.c_str(), 0600), 0);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"info", walk("relu_matmul"), "--json", pipe},
        {"render", walk("relu_matmul"), "--scene", "map", "--at", "b1", "--text", "-o", pipe},
        {"run", "relu(a)", "--shape", "a=4", "--on", "cpu", "-o", trace}}) {
    Program program(arguments);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(240);
    while (program.running() && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_FALSE(program.running()) << arguments[0] << " waits for a reader";
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr("is a pipe that no program reads; start its reader first"));
  }
}

// Every iteration changes memory, so nothing is proved.
TEST(HostileFile, ARunawayIsReportedAtTheLimitThatTheHelpNames) {
  const Folder folder;
  folder.file("k.ptx", R"(.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b64 %y; .reg .b32 %v; .reg .pred %p;
  ld.param.u64 %y, [p];
again:
  ld.global.u32 %v, [%y];
  add.u32 %v, %v, 2;
  st.global.u32 [%y], %v;
  setp.ne.u32 %p, %v, 7;
  @%p bra again;
  ret;
}
)");
  const std::string launch = folder.file("launch.json", R"({"kernel": "k", "ptx": "k.ptx", "grid": [1, 1, 1],
"block": [32, 1, 1], "args": [{"buffer": "a", "dtype": "i32", "count": 64, "fill": 0}]})");
  const Outcome outcome = run({"simulate", launch, "--gpu", WARPWALK_SOURCE_DIR "/assets/devices/h200.json"});
  EXPECT_EQ(outcome.status, 1) << outcome.error;
  EXPECT_THAT(outcome.out,
              ::testing::HasSubstr("its block has issued more than 16777216 operations, the limit per block"));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("PTX line 8"));
  EXPECT_THAT(run({"simulate", "--help"}).out, ::testing::HasSubstr("default: 16777216"));
}

TEST(HostileFile, EmptyValuesAreRefused) {
  const Folder folder;
  const std::string file = walk("relu_matmul");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", file, "--json", ""},
                                                    {"render", file, "-o", ""},
                                                    {"run", "relu(a)", "--shape", "a=4", "-o", ""},
                                                    {"doctor", "--json", ""},
                                                    {"--scene", ""}}) {
    const Outcome outcome = run(arguments, {"DISPLAY=", "WAYLAND_DISPLAY="});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr("the value is empty"));
  }
}

}  // namespace
}  // namespace warpwalk::testing
