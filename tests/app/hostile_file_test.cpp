// Files that a user may be handed: nothing of them reaches the terminal as a command, each is refused in one line, and
// none blocks the program.
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
  EXPECT_NE(info.out.find("pwned"), std::string::npos);
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
  EXPECT_NE(info.out.find("lost_event"), std::string::npos);
  EXPECT_FALSE(has_control_character(info.out)) << info.out;
  const Outcome rendered = run({"render", file, "--text"});
  EXPECT_EQ(rendered.status, 0);
  EXPECT_NE(rendered.error.find("lost_event"), std::string::npos) << rendered.error;
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
  EXPECT_NE(outcome.error.find("--at b99"), std::string::npos) << outcome.error;
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

TEST(HostileFile, JsonThatIsNoTraceIsCalledWhatItIs) {
  const Folder folder;
  const std::string source = WARPWALK_SOURCE_DIR;
  const std::string other = folder.file("other.json", R"({"some": 1, "thing": [2]})");
  for (const auto& [file, what] :
       std::vector<std::pair<std::string, std::string>>{{source + "/assets/lessons/first_walk.json", "is a lesson"},
                                                        {source + "/tests/cases/bits/launch.json", "is a launch file"},
                                                        {source + "/assets/devices/h200.json", "describes a GPU"},
                                                        {other, "without traceEvents"}}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"info", file}, {"render", file, "--text"}}) {
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.status, 2) << file;
      EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
      EXPECT_NE(outcome.error.find(what), std::string::npos) << outcome.error;
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
      EXPECT_NE(outcome.error.find("is not a regular file"), std::string::npos) << outcome.error;
    }
  const Outcome zero = run({"info", "/dev/zero"});
  EXPECT_EQ(zero.status, 2);
  EXPECT_NE(zero.error.find("is a device"), std::string::npos) << zero.error;
  const std::string large = folder.file("large.json", std::string((1 << 20) + 1, ' '));
  EXPECT_NE(run({"run", "relu(a)", "--shape", "a=4", "--gpu", large}).error.find("larger than 1 MB"),
            std::string::npos);
}

TEST(HostileFile, DoctorDoesNotWaitForAPipeInPlaceOfSettings) {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "warpwalk");
  ASSERT_EQ(mkfifo(folder.at("warpwalk/settings.json").c_str(), 0600), 0);
  const Outcome doctor = run({"doctor"}, {"XDG_CONFIG_HOME=" + folder.path().string()});
  EXPECT_EQ(doctor.status, 0);
  EXPECT_NE(doctor.out.find("settings.json: is not a regular file"), std::string::npos) << doctor.out;
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
    EXPECT_NE(outcome.error.find("the value is empty"), std::string::npos) << outcome.error;
  }
}

}  // namespace
}  // namespace warpwalk::testing
