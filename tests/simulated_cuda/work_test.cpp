#include "instrumentation/simulated/device/work.h"

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::simulated {
namespace {

WorkPtr work(Unit unit, std::int64_t duration, double share, std::vector<WorkPtr> after) {
  const auto made = std::make_shared<Work>();
  made->unit = unit;
  made->submitted = 1000;
  made->after = std::move(after);
  made->run = [=] { return Outcome{duration, share}; };
  return made;
}

struct Queue {
  ProgramClock clock;
  WorkQueue queue{clock, false};
  WorkPtr add(Unit unit, std::int64_t duration, double share = 1, std::vector<WorkPtr> after = {}) {
    WorkPtr made = work(unit, duration, share, std::move(after));
    queue.submit(made);
    return made;
  }
};

TEST(SimulatedWork, StartsAfterTheWorkThatItWaitsFor) {
  Queue q;
  const WorkPtr first = q.add(Unit::sms, 500, 0.1), second = q.add(Unit::sms, 300, 0.1, {first});
  q.queue.wait(second);
  EXPECT_EQ(first->start, 1000);
  EXPECT_EQ(second->start, 1500);
  EXPECT_EQ(second->end, 1800);
}

TEST(SimulatedWork, SmallKernelsOfIndependentStreamsOverlap) {
  Queue q;
  const WorkPtr a = q.add(Unit::sms, 500, 0.4), b = q.add(Unit::sms, 500, 0.4), c = q.add(Unit::sms, 500, 0.4);
  q.queue.wait_all();
  EXPECT_EQ(a->start, 1000);
  EXPECT_EQ(b->start, 1000);
  EXPECT_EQ(c->start, 1500) << "there is no room on the SMs before";
}

TEST(SimulatedWork, CopiesInOneDirectionFollowOneAnotherAndThoseInTheOtherDoNotWait) {
  Queue q;
  const WorkPtr in = q.add(Unit::to_device, 700), next = q.add(Unit::to_device, 100), out = q.add(Unit::to_host, 100);
  q.queue.wait_all();
  EXPECT_EQ(in->start, 1000);
  EXPECT_EQ(next->start, 1700);
  EXPECT_EQ(out->start, 1000);
}

TEST(SimulatedWork, AFunctionOfTheProgramDoesNotHoldUpOtherStreams) {
  Queue q;
  std::promise<void> opened;
  const auto gate = std::make_shared<Work>();
  gate->on_host = true;
  gate->run = [&] {
    opened.get_future().wait();
    return Outcome{};
  };
  q.queue.submit(gate);
  const WorkPtr behind = q.add(Unit::sms, 10, 1, {gate}), beside = q.add(Unit::sms, 10, 1);
  q.queue.wait(beside);
  EXPECT_FALSE(q.queue.has_ended(behind));
  opened.set_value();
  q.queue.wait(behind);
  EXPECT_TRUE(gate->done);
}

TEST(SimulatedWork, AfterAnErrorNothingRuns) {
  Queue q;
  const auto bad = std::make_shared<Work>();
  bad->run = [] { return Outcome{0, 1, Error::illegal_address}; };
  q.queue.submit(bad);
  bool ran = false;
  const auto next = std::make_shared<Work>();
  next->run = [&] {
    ran = true;
    return Outcome{};
  };
  q.queue.submit(next);
  q.queue.wait(next);
  EXPECT_EQ(q.queue.error(), Error::illegal_address);
  EXPECT_FALSE(ran);
  q.queue.reset();
  EXPECT_EQ(q.queue.error(), Error::success);
}

TEST(SimulatedWork, TheProgramsClockStandsStillWhileItWaits) {
  Queue q;
  const auto slow = std::make_shared<Work>();
  slow->submitted = q.clock.now();
  std::int64_t passed = 0;
  slow->run = [&] {
    // Simulating takes longer than the GPU would. Until the wait begins, the clock goes on.
    constexpr std::int64_t sleep_ns = 1'000'000;
    for (int i = 0; i < 10'000; ++i) {
      const std::int64_t before = q.clock.now();
      std::this_thread::sleep_for(std::chrono::nanoseconds(sleep_ns));
      passed = q.clock.now() - before;
      if (passed < sleep_ns / 2) break;
    }
    return Outcome{std::int64_t{3600} * 1'000'000'000};
  };
  q.queue.submit(slow);
  q.queue.wait(slow);
  EXPECT_LT(passed, 1000) << "it never gives the same time twice, but takes no steps";
  EXPECT_GE(q.clock.now(), slow->end) << "afterwards, the simulated time has passed";
}

}  // namespace
}  // namespace warpwalk::simulated
