#include "app/verbs/probe.h"

#include <csignal>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

namespace warpwalk::verbs {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

Found looked(const std::function<Found()>& look, Clock::duration limit = 10s) {
  Probe probe(look);
  return probe.wait(Clock::now() + limit);
}

TEST(Probe, BringsBackWhatWasFound) {
  const Found good = looked([] { return Found{true, "a\nb\x01"}; });
  EXPECT_TRUE(good.ok);
  EXPECT_EQ(good.text, "a b ");
  const Found none = looked([] { return Found{false, std::string(9000, 'x')}; });
  EXPECT_FALSE(none.ok);
  EXPECT_EQ(none.text.size(), 9000u);
  EXPECT_EQ(looked([]() -> Found { throw std::runtime_error("reason"); }).text, "reason");
}

TEST(Probe, SurvivesWhatItLooksAt) {
  EXPECT_EQ(looked([]() -> Found {
              raise(SIGKILL);
              return {};
            }).text,
            "it crashed (signal 9)");
  EXPECT_EQ(looked([]() -> Found { _exit(0); }).text, "it ended the program that looked for it");
  const auto before = Clock::now();
  const Found late = looked(
      []() -> Found {
        pause();
        return {true, ""};
      },
      100ms);
  EXPECT_FALSE(late.ok);
  EXPECT_EQ(late.text, "no answer in time");
  EXPECT_LT(Clock::now() - before, 5s);
}

TEST(Probe, ManyAtOnceTakeNoLongerThanOne) {
  const auto sleepy = [] {
    usleep(300000);
    return Found{true, "awake"};
  };
  const auto before = Clock::now();
  std::vector<std::unique_ptr<Probe>> probes;
  for (int i = 0; i < 8; ++i) probes.push_back(std::make_unique<Probe>(sleepy));
  for (const auto& probe : probes) EXPECT_EQ(probe->wait(before + 10s).text, "awake");
  EXPECT_LT(Clock::now() - before, 2s);
}

}  // namespace
}  // namespace warpwalk::verbs
