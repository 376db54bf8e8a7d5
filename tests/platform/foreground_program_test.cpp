// Programs in the foreground that belong to this process: they end with it, and when it asks.
#include "core/platform/foreground_program.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "core/platform/temporary_folder.h"

namespace warpwalk::platform {
namespace {

using Clock = std::chrono::steady_clock;

TEST(ForegroundProgram, HasNoInputIfItIsToHaveNone) {
  const ProgramEnd end = run_program({"sh", "-c", "read line; test $? -ne 0"}, {}, {.no_input = true});
  EXPECT_FALSE(end.failed()) << end.description();
}

TEST(ForegroundProgram, IsEndedWithWhatItHasStarted) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "pid";
  // Its child ignores SIGTERM. Both have the group of the program.
  const std::string script = "(trap '' TERM; sh -c 'echo $PPID'; sleep 100) > " + file.string() + " & wait";
  std::atomic<bool> cancel = false;
  std::thread other([&] {
    const auto give_up = Clock::now() + std::chrono::seconds(20);
    std::error_code error;
    while (std::filesystem::file_size(file, error) == 0 || error) {
      if (Clock::now() > give_up) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    cancel = true;
  });
  const auto begin = Clock::now();
  const ProgramEnd end = run_program({"sh", "-c", script}, {}, {.no_input = true, .owned = true, .cancel = &cancel});
  other.join();
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(end.signal, SIGTERM) << end.description();
  EXPECT_EQ(end.forwarded, 0);
  pid_t child = 0;
  ASSERT_TRUE(std::ifstream(file) >> child);
  // It may stay in the list of processes until its new parent has looked.
  for (int i = 0; i < 500 && std::filesystem::exists("/proc/" + std::to_string(child) + "/exe"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(std::filesystem::exists("/proc/" + std::to_string(child) + "/exe"));
}

}  // namespace
}  // namespace warpwalk::platform
