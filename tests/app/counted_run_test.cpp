// The run under Nsight Compute that `run --counters` starts, with an Nsight Compute that never ends.
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

/// A folder with an ncu that starts a program, writes its number into the file "pid", and waits for it.
fs::path folder_of_fake() {
  std::string name = (fs::temp_directory_path() / "warpwalk-test-XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  const fs::path folder = name;
  const std::string pid = (folder / "pid").string();
  std::ofstream(folder / "ncu") << fmt::format("#!/bin/sh\nsleep 60 &\necho $! > {0}.new\nmv {0}.new {0}\nwait\n", pid);
  fs::permissions(folder / "ncu", fs::perms::owner_all);
  return folder;
}

/// Whether the process with this number is over, or is soon.
bool ends(int pid) {
  for (int looks = 0; looks < 1000; ++looks, usleep(10'000)) {
    std::ifstream in(fmt::format("/proc/{}/stat", pid));
    std::string number, name, state;
    if (!(in >> number >> name >> state) || state == "Z") return true;
  }
  return false;
}

/// What `run` does, and a signal that comes once Nsight Compute has started its program. The process ends by it.
void count_until(int signal) {
  const fs::path folder = folder_of_fake();
  setenv("PATH", (folder.string() + ":" + std::getenv("PATH")).c_str(), 1);
  HeldSignals signals;
  std::thread([folder, signal] {
    std::error_code not_there;
    while (!fs::exists(folder / "pid", not_there)) usleep(10'000);
    kill(getpid(), signal);
  }).detach();
  RunOptions options;
  options.expression = "relu(a)";
  trace::Records records;
  const auto error = count_run(options, records, signals);
  int pid = 0;
  std::ifstream(folder / "pid") >> pid;
  fmt::print(stderr, "{}{}\n", error.value_or("counted"), ends(pid) ? "" : ", and what it started runs on");
  fs::remove_all(folder);
}

class CountedRun : public ::testing::TestWithParam<int> {};

TEST_P(CountedRun, StopsAtASignalWithAllThatItStarted) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EXIT(count_until(GetParam()), ::testing::KilledBySignal(GetParam()), "^--counters: stopped before the end\n$");
  EXPECT_LT(std::chrono::steady_clock::now(), began + std::chrono::seconds(30));
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, CountedRun, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
}  // namespace warpwalk::verbs
