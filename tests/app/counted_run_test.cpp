// The run under Nsight Compute that `run --counters` starts, with a fake Nsight Compute.
#include "app/verbs/counted_run.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace warpwalk::verbs {
namespace {

namespace fs = std::filesystem;

/// A folder, first in PATH, with an ncu that runs this script.
fs::path folder_of_fake(const std::string& script) {
  std::string name = (fs::temp_directory_path() / "warpwalk-test-XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  const fs::path folder = name;
  std::ofstream(folder / "ncu") << "#!/bin/sh\ncd " << folder.string() << "\n" << script;
  fs::permissions(folder / "ncu", fs::perms::owner_all);
  setenv("PATH", (folder.string() + ":" + std::getenv("PATH")).c_str(), 1);
  return folder;
}

/// True if the process has ended or ends soon.
bool ends(int pid) {
  for (int looks = 0; looks < 1000; ++looks, usleep(10'000)) {
    std::ifstream in(fmt::format("/proc/{}/stat", pid));
    std::string number, name, state;
    if (!(in >> number >> name >> state) || state == "Z") return true;
  }
  return false;
}

/// Sends a signal once Nsight Compute has started its program. The process ends by the signal.
void count_until(int signal) {
  // It starts a program, writes its process id into the file "pid", and waits for it.
  const fs::path folder = folder_of_fake("sleep 60 &\necho $! > pid.new\nmv pid.new pid\nwait\n");
  platform::BlockedSignals signals;
  std::thread([folder, signal] {
    std::error_code not_there;
    while (!fs::exists(folder / "pid", not_there)) usleep(10'000);
    kill(getpid(), signal);
  }).detach();
  RunOptions options;
  options.expression = "relu(a)";
  trace::Records records;
  const auto counted = count_run(options, records, signals);
  int pid = 0;
  std::ifstream(folder / "pid") >> pid;
  fmt::print(stderr, "{}{}\n", counted ? "counted" : counted.error(), ends(pid) ? "" : ", and what it started runs on");
  fs::remove_all(folder);
}

class CountedRunAtASignal : public ::testing::TestWithParam<int> {};

TEST_P(CountedRunAtASignal, StopsWithAllThatItStarted) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EXIT(count_until(GetParam()), ::testing::KilledBySignal(GetParam()), "^--counters: stopped before the end\n$");
  EXPECT_LT(std::chrono::steady_clock::now(), began + std::chrono::seconds(30));
}

// The arguments of ncu and of the run.
TEST(CountedRun, IsTheSameRun) {
  const std::string path = std::getenv("PATH");
  const fs::path folder = folder_of_fake("echo \"==ERROR== $*\"\n");
  RunOptions options;
  options.expression = "-a @ b";
  options.shapes = {"a=2x3", "b=3x2"};
  options.dtypes = {"f16"};
  options.inputs = {"a=a.bin"};
  options.seed = "7";
  options.autocast = "bf16";
  options.gradients = true;
  trace::Records records;
  std::string summary;
  {
    platform::BlockedSignals signals;
    const auto counted = count_run(options, records, signals);
    summary = counted ? "" : counted.error();
  }
  setenv("PATH", path.c_str(), 1);
  fs::remove_all(folder);
  EXPECT_TRUE(
      summary.ends_with(" run --on cuda --seed 7 --shape a=2x3 --shape b=3x2 --dtype f16 --input a=a.bin "
                        "--gradients --autocast bf16 -- -a @ b"))
      << summary;
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, CountedRunAtASignal, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
}  // namespace warpwalk::verbs
