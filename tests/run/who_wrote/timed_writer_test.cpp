// Tests "who wrote this?" in the launches of a walk: the cycles of an answer, the watch, and earlier launches.
#include "core/run/replay/timed_writer.h"

#include <bit>
#include <cstring>

#include <gtest/gtest.h>

#include "core/gpu/exec/launch_addresses.h"
#include "core/gpu/exec/program.h"
#include "core/trace/read/read_trace.h"
#include "tests/run/history_trace.h"

namespace warpwalk::run {
namespace {

using testing::assets_folder;
using Kind = gpu::ValuePlace::Kind;

/// The launches of relu(a @ b) on an H200, which warpwalk ships; the second one reads what the first one wrote.
struct Walked {
  trace::Trace trace;
  std::shared_ptr<const History> history;
  std::shared_ptr<TimeTravel> travel;
  std::vector<std::uint64_t> addresses;  ///< of the buffers
};

/// The first launch with its cycles, which take seconds to simulate: made once.
Walked& walked() {
  static Walked made = [] {
    Walked of;
    of.trace = trace::read_trace(assets_folder() / "walks/h200_relu_matmul.json.gz").trace;
    const trace::SliceId kernel = testing::kernel_at(of.trace, 0);
    of.history = testing::built_history(of.trace, kernel);
    of.travel = *TimeTravel::make(of.trace, kernel, of.history, testing::h200_options());
    of.addresses = gpu::buffer_addresses(of.travel->program(), of.history->before);
    return of;
  }();
  return made;
}

class TimedWriter : public ::testing::Test {
 protected:
  /// Who wrote an element of the result, the launch's last buffer.
  std::shared_ptr<const run::TimedWriter> about_element(std::uint64_t index) {
    gpu::WriterQuestion question;
    question.place.address = walked().addresses.back() + 4 * index;
    const auto answer = travel_->writers().ask(question);
    EXPECT_TRUE(answer) << answer.error();
    return answer ? *answer : nullptr;
  }

  const trace::Trace& trace_ = walked().trace;
  const std::shared_ptr<TimeTravel> travel_ = walked().travel;
};

TEST_F(TimedWriter, HasTheCyclesOfItsSteps) {
  const auto answer = about_element(77);
  ASSERT_NE(answer, nullptr);
  ASSERT_TRUE(answer->writer.written());
  ASSERT_EQ(answer->places.size(), answer->writer.steps.size());
  std::int64_t before = 0;
  for (std::size_t i = 0; i < answer->places.size(); ++i) {
    const IssuePlace& place = answer->places[i];
    ASSERT_GE(place.cycle, 0) << i;
    EXPECT_EQ(place.warp.block, answer->writer.steps[i].step.warp.block);
    if (place.warp.warp == answer->places.back().warp.warp) {
      EXPECT_GE(place.cycle, before);
      before = place.cycle;
    }
  }
  // At that cycle, the warp issues the instruction for the lane.
  const IssuePlace& last = answer->places.back();
  const auto window = travel_->window(last.sm, last.cycle, last.cycle + 1);
  const auto issue = std::ranges::find_if(window->issues, [&](const auto& one) { return one.what.warp == last.warp; });
  ASSERT_NE(issue, window->issues.end());
  EXPECT_EQ(issue->what.instruction, answer->writer.writer().step.instruction);
  EXPECT_NE(issue->what.executing & answer->writer.writer().step.lanes, 0U);
}

TEST_F(TimedWriter, GoesBackFromARegisterAtACycle) {
  const auto answer = about_element(77);
  ASSERT_NE(answer, nullptr);
  const gpu::WriterStep& store = answer->writer.writer();
  const IssuePlace& at = answer->places.back();
  const auto moment = travel_->writers().moment(at.sm, at.warp, at.cycle);
  ASSERT_TRUE(moment);
  EXPECT_EQ(moment->instruction, store.step.instruction);
  EXPECT_EQ(moment->occurrence, store.step.occurrence);
  gpu::WriterQuestion question;
  question.place = {Kind::lane_register, store.step.place, 4, store.step.warp, std::countr_zero(store.step.lanes)};
  question.before = moment;
  const auto of_register = travel_->writers().ask(question);
  ASSERT_TRUE(of_register) << of_register.error();
  ASSERT_TRUE((*of_register)->writer.written());
  const gpu::WriterStep& last = (*of_register)->writer.writer();
  EXPECT_EQ(last.step.value, store.step.value);  // the register that is stored
  EXPECT_NE(last.step.kind, gpu::OriginStep::Kind::store);
  // The watch finds both: the instruction that wrote the register, and the store that reads it.
  const auto written = next_access(*travel_, at.sm, question.place, at.cycle, false);
  ASSERT_TRUE(written);
  EXPECT_TRUE(written->writes);
  EXPECT_EQ(written->what.cycle, (*of_register)->places.back().cycle);
  const auto read = next_access(*travel_, at.sm, question.place, written->what.cycle, true);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->writes);
  EXPECT_EQ(read->what.cycle, at.cycle);
}

TEST_F(TimedWriter, GoesBackThroughSharedMemory) {
  const auto answer = about_element(77);
  ASSERT_NE(answer, nullptr);
  const auto read = std::ranges::find_if(answer->writer.reads,
                                         [](const gpu::ReadBytes& one) { return one.place.kind == Kind::shared; });
  if (read == answer->writer.reads.end()) GTEST_SKIP() << "the kernel does not use shared memory";
  const auto stored = travel_->writers().ask(gpu::question_about(answer->writer, *read));
  ASSERT_TRUE(stored) << stored.error();
  ASSERT_TRUE((*stored)->writer.written());
  EXPECT_EQ((*stored)->writer.writer().step.space, gpu::OriginStep::Space::shared);
  const IssuePlace& load = answer->places[read->step];
  const IssuePlace& store = (*stored)->places.back();
  EXPECT_LT(store.cycle, load.cycle);
  // The store is the last access that writes the byte before the load.
  auto watched = next_access(*travel_, load.sm, read->place, load.cycle, false);
  while (watched && !watched->writes) watched = next_access(*travel_, load.sm, read->place, watched->what.cycle, false);
  ASSERT_TRUE(watched);
  EXPECT_EQ(watched->what.cycle, store.cycle);
}

TEST_F(TimedWriter, FindsTheEarlierLaunch) {
  const trace::SliceId relu = testing::kernel_at(trace_, 1);
  const auto history = testing::built_history(trace_, relu);
  ASSERT_NE(history, nullptr);
  const gpu::Launch& before = history->before;
  gpu::LaunchWriters writers(history->device, *history->program, before);
  const std::vector<std::uint64_t> addresses = gpu::buffer_addresses(*history->program, before);
  gpu::WriterQuestion question;
  question.place.address = addresses.back() + 4 * 77;
  const auto answer = writers.ask(question);
  ASSERT_TRUE(answer) << answer.error();
  ASSERT_TRUE(answer->written());
  // Its input is not written by this launch.
  const auto read = std::ranges::find_if(answer->reads, [&](const gpu::ReadBytes& one) {
    return one.place.kind == Kind::global && one.place.address >= addresses.front();
  });
  ASSERT_NE(read, answer->reads.end());
  std::size_t buffer = 0;
  while (read->place.address - addresses[buffer] >= before.buffers[buffer].bytes.size()) ++buffer;
  const auto earlier = writers.ask(question_about(*answer, *read));
  ASSERT_TRUE(earlier);
  ASSERT_FALSE(earlier->written());
  EXPECT_EQ(earlier->before, gpu::Writer::Before::input);
  EXPECT_EQ(launches_before(trace_, relu, buffer, read->place.address - addresses[buffer]),
            std::vector{testing::kernel_at(trace_, 0)});
  // The inputs of the product are inputs of the program.
  EXPECT_TRUE(launches_before(trace_, testing::kernel_at(trace_, 0), 0, 0).empty());
}

}  // namespace
}  // namespace warpwalk::run
