// A program started by the window must end with the window, even if the window is killed.
#include "core/platform/watched_program.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/shell/fake_program.h"

namespace warpwalk::platform {
namespace {

using shell::FakeProgram;

TEST(WatchedProgram, DoesNotOutliveAWindowThatIsKilled) {
  const FakeProgram program("echo $$ > \"$here/number\"; exec sleep 60\n");
  const pid_t window = fork();
  if (window == 0) {
    const std::atomic<bool> cancel = false;
    run_watched(
        {program.path(), {"run"}, {}}, [](std::string_view) {}, cancel);
    _exit(0);
  }
  EXPECT_TRUE(program.has_written("number"));
  kill(window, SIGKILL);
  waitpid(window, nullptr, 0);
  EXPECT_TRUE(program.has_ended("number"));
}

TEST(WatchedProgram, SettingsTakeThePlaceOfWhatIsThere) {
  const FakeProgram program("env | grep -E '^(HOME|HOMELY|WARPWALK_X)=' | sort >&2\n");
  setenv("HOMELY", "stays", 1);
  std::string printed;
  const std::atomic<bool> cancel = false;
  const auto line = [&](std::string_view text) { printed.append(text).append("\n"); };
  const WatchedEnd end = run_watched({program.path(), {"run"}, {"HOME=/elsewhere", "WARPWALK_X="}}, line, cancel);
  unsetenv("HOMELY");
  EXPECT_EQ(printed, "HOME=/elsewhere\nHOMELY=stays\nWARPWALK_X=\n");
  EXPECT_EQ(end.exit_status, 0);
  EXPECT_FALSE(end.cancelled);
}

}  // namespace
}  // namespace warpwalk::platform
