#include "core/platform/probe.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/verbs/common/probes.h"

namespace warpwalk::verbs {
namespace {

using platform::Probe;
using platform::ProbeResult;

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

ProbeResult looked(const std::function<ProbeResult()>& look, Clock::duration limit = 10s) {
  Probe probe(look);
  return probe.wait(Clock::now() + limit);
}

TEST(Probe, BringsBackWhatWasFound) {
  const ProbeResult good = looked([] { return ProbeResult{true, "a\nb\x01"}; });
  EXPECT_TRUE(good.ok);
  EXPECT_EQ(good.text, "a b ");
  const ProbeResult none = looked([] { return ProbeResult{false, std::string(9000, 'x')}; });
  EXPECT_FALSE(none.ok);
  EXPECT_EQ(none.text.size(), 9000u);
  EXPECT_EQ(looked([]() -> ProbeResult { throw std::runtime_error("reason"); }).text, "reason");
}

TEST(Probe, SurvivesWhatItLooksAt) {
  EXPECT_EQ(looked([]() -> ProbeResult {
              raise(SIGKILL);
              return {};
            }).text,
            "it crashed (signal 9)");
  EXPECT_EQ(looked([]() -> ProbeResult { _exit(0); }).text, "it ended the process that checked for it");
  const auto before = Clock::now();
  const ProbeResult late = looked(
      []() -> ProbeResult {
        pause();
        return {true, ""};
      },
      100ms);
  EXPECT_FALSE(late.ok);
  EXPECT_EQ(late.text, "no answer in time");
  EXPECT_LT(Clock::now() - before, 60s);  // without a limit it would never end
}

// Probes as a non-root user, even if root runs the test.
ProbeResult counters_of_a_user(const std::filesystem::path& folder) {
  return looked([&] {
    if (geteuid() == 0 && setuid(65534) != 0) return ProbeResult{false, "cannot be someone else"};
    setenv("PATH", folder.c_str(), 1);
    return look_at_ncu(folder / "params");
  });
}

TEST(Probe, CountersThatTheDriverKeepsForRoot) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / ("warpwalk_ncu_" + std::to_string(getpid()));
  constexpr fs::perms everybody{0755};
  fs::create_directories(folder);
  fs::permissions(folder, everybody);
  std::ofstream(folder / "ncu") << "#!/bin/sh\n";
  fs::permissions(folder / "ncu", everybody);
  EXPECT_EQ(counters_of_a_user(folder).text, (folder / "ncu").string());  // no driver says anything
  std::ofstream(folder / "params") << "EnableMSI: 1\nRmProfilingAdminOnly: 0\n";
  EXPECT_TRUE(counters_of_a_user(folder).ok);
  std::ofstream(folder / "params") << "EnableMSI: 1\nRmProfilingAdminOnly: 1\n";
  const ProbeResult found = counters_of_a_user(folder);
  EXPECT_FALSE(found.ok);
  EXPECT_THAT(found.text, ::testing::HasSubstr("restricts counters to root"));
  fs::remove_all(folder);
}

TEST(Probe, ManyAtOnceTakeNoLongerThanOne) {
  const auto sleepy = [] {
    usleep(300000);
    return ProbeResult{true, "awake"};
  };
  const auto before = Clock::now();
  std::vector<std::unique_ptr<Probe>> probes;
  for (int i = 0; i < 8; ++i) probes.push_back(std::make_unique<Probe>(sleepy));
  for (const auto& probe : probes) EXPECT_EQ(probe->wait(before + 10s).text, "awake");
  EXPECT_LT(Clock::now() - before, 2400ms);  // one after the other they take that
}

}  // namespace
}  // namespace warpwalk::verbs
