// The engine of the debugger, on kernels of tests/history/wrong_output: from PTX and from machine code.
#include "core/debug/session.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/timing/timed.h"

namespace warpwalk::debug {
namespace {

using gpu::timed::h200;
using gpu::timed::tests;

run::LoadedLaunch load(const std::string& name, bool machine_code) {
  const std::string file = "history/wrong_output/" + name + "/launch.json";
  if (machine_code) return gpu::timed::load(file);
  auto loaded = run::load_launch(tests() / file, h200(), {.code = run::CodeChoice::ptx, .cuda = {}});
  if (!loaded) throw std::runtime_error(loaded.error());
  return std::move(*loaded);
}

std::unique_ptr<Session> session_of(const std::string& name, bool machine_code) {
  auto recording = Recording::make(load(name, machine_code), h200(), {});
  if (!recording) throw std::runtime_error(recording.error());
  return std::make_unique<Session>(std::move(*recording));
}

std::uint32_t line_with(const std::string& name, std::string_view text) {
  std::ifstream source(tests() / "history/wrong_output" / name / "kernel.cu");
  std::string line;
  for (std::uint32_t number = 1; std::getline(source, line); ++number)
    if (line.find(text) != std::string::npos) return number;
  throw std::runtime_error("no such line");
}

std::uint32_t line_of(const Session& session) {
  const auto instruction = session.next_instruction();
  return instruction ? session.code().line_of(*instruction).line : 0;
}

/// The state at a stop: position, thread, registers and memory.
struct Seen {
  std::int64_t cycle = 0;
  Focus focus;
  std::optional<std::uint32_t> instruction;
  std::vector<std::vector<std::uint64_t>> registers;
  std::vector<std::vector<std::uint8_t>> memory;  ///< of the buffers, then the block's shared memory
  bool operator==(const Seen&) const = default;
};

Seen seen(Session& session) {
  Seen now{session.cycle(), session.focus(), session.next_instruction(), {}, {}};
  Moment moment = session.moment();
  for (const auto& rows : {moment.registers(), moment.predicates()})
    for (const RegisterRow& row : rows) now.registers.push_back(row.lanes);
  const Recording& recording = session.recording();
  for (std::size_t b = 0; b < recording.buffer_addresses().size(); ++b) {
    auto& bytes = now.memory.emplace_back(recording.before().buffers[b].bytes.size());
    moment.read_global(recording.buffer_addresses()[b], bytes);
  }
  moment.read_shared(0, now.memory.emplace_back(recording.shared_bytes()));
  return now;
}

class Debug : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(FromPtxAndMachineCode, Debug, ::testing::Values(false, true),
                         [](const auto& made) { return made.param ? "MachineCode" : "Ptx"; });

TEST_P(Debug, StepsBackUndoSteps) {
  for (const char* const name : {"stale_tile", "lost_update", "off_by_one"}) {
    const auto session = session_of(name, GetParam());
    for (const StepUnit unit : {StepUnit::line, StepUnit::instruction}) {
      session->restart();
      ASSERT_TRUE(session->set_focus({1, 1, 5}));
      session->step(StepKind::in, unit, true);
      std::vector<Seen> forward = {seen(*session)};
      for (int i = 0; i < 200 && session->stop().reason != StopReason::thread_end; ++i) {
        session->step(StepKind::in, unit, true);
        forward.push_back(seen(*session));
      }
      EXPECT_GT(forward.size(), 3U) << name;
      for (std::size_t i = forward.size() - 1; i-- > 0;) {
        session->step(StepKind::in, unit, false);
        ASSERT_EQ(seen(*session), forward[i]) << name << ", step " << i;
      }
    }
  }
}

TEST_P(Debug, StopsAtALineForwardsAndBackwards) {
  const auto session = session_of("stale_tile", GetParam());
  const std::uint32_t line = line_with("stale_tile", "sum +=");
  ASSERT_TRUE(session->add_line("kernel.cu", line, "", "").verified);
  std::vector<std::pair<std::int64_t, Focus>> places;
  while (session->run(true).reason == StopReason::breakpoint) {
    EXPECT_EQ(line_of(*session), line);
    places.emplace_back(session->cycle(), session->focus());
  }
  EXPECT_EQ(session->stop().reason, StopReason::end);
  EXPECT_GE(places.size(), 3U * 2 * 5);  // blocks, warps, tiles
  for (std::size_t i = places.size(); i-- > 0;) {
    ASSERT_EQ(session->run(false).reason, StopReason::breakpoint);
    EXPECT_EQ(std::pair(session->cycle(), session->focus()), places[i]);
  }
  EXPECT_EQ(session->run(false).reason, StopReason::beginning);
}

TEST_P(Debug, TheSearchAndTheListOfAllPlacesAgree) {
  const auto session = session_of("lost_update", GetParam());
  const auto stops = [&](std::string_view hits, bool forward) {
    session->remove(Breakpoint::Kind::line);
    session->add_line("kernel.cu", line_with("lost_update", "BUG:"), "threadIdx.x % 8 == 3", hits);
    session->restart();
    if (!forward) session->go_to_cycle(session->recording().end());
    std::vector<std::pair<std::int64_t, Focus>> places;
    while (session->run(forward).reason == StopReason::breakpoint)
      places.emplace_back(session->cycle(), session->focus());
    return places;
  };
  // A count of hits needs the list; without one, the next place is searched.
  const auto forward = stops("", true);
  EXPECT_GT(forward.size(), 3U);
  EXPECT_EQ(stops(">= 1", true), forward);
  auto backward = stops("", false);
  EXPECT_EQ(stops(">= 1", false), backward);
  std::ranges::reverse(backward);
  EXPECT_EQ(backward, forward);
}

TEST_P(Debug, ConditionsAndHitCounts) {
  const auto session = session_of("stale_tile", GetParam());
  const std::uint32_t line = line_with("stale_tile", "sum +=");
  session->add_line("kernel.cu", line, "threadIdx.x == 37 && blockIdx.x == 2", "");
  std::size_t hits = 0;
  for (; session->run(true).reason == StopReason::breakpoint; ++hits) EXPECT_EQ(session->focus(), (Focus{2, 1, 5}));
  EXPECT_GE(hits, 5U);
  session->remove(Breakpoint::Kind::line);
  session->add_line("kernel.cu", line, "threadIdx.x == 37 && blockIdx.x == 2", "== 3");
  session->restart();
  EXPECT_EQ(session->run(true).reason, StopReason::breakpoint);
  EXPECT_EQ(session->run(true).reason, StopReason::end);
  EXPECT_EQ(session->run(false).reason, StopReason::breakpoint);
  // A condition over memory, evaluated in both directions.
  session->remove(Breakpoint::Kind::line);
  session->restart();
  session->add_line("kernel.cu", line, "threadIdx.x == 0 && ((float*)shared)[63] == 127", "");
  ASSERT_EQ(session->run(true).reason, StopReason::end);  // the planted bug: x[127] is never in the tile
  session->remove(Breakpoint::Kind::line);
  session->restart();
  session->add_line("kernel.cu", line, "threadIdx.x == 0 && ((float*)shared)[63] == 63", "");
  ASSERT_EQ(session->run(true).reason, StopReason::breakpoint);
  const std::int64_t cycle = session->cycle();
  while (session->run(true).reason == StopReason::breakpoint) {
  }
  EXPECT_EQ(session->stop().reason, StopReason::end);
  for (std::int64_t last = session->cycle(); session->run(false).reason == StopReason::breakpoint;
       last = session->cycle())
    EXPECT_LT(session->cycle(), last);
  ASSERT_EQ(session->run(true).reason, StopReason::breakpoint);
  EXPECT_EQ(session->cycle(), cycle);
}

TEST_P(Debug, StopsWhereMemoryChanges) {
  const auto session = session_of("stale_tile", GetParam());
  ASSERT_TRUE(session->add_data("y[70]", 0, Breakpoint::Access::change, "", "").verified);
  ASSERT_EQ(session->run(true).reason, StopReason::data);
  EXPECT_EQ(session->focus(), (Focus{1, 0, 6}));
  EXPECT_EQ(line_of(*session), line_with("stale_tile", "y[blockIdx.x"));
  EXPECT_TRUE(session->stop().text.starts_with("y[70] changes from 0 to ")) << session->stop().text;
  EXPECT_EQ(text_of(*session->evaluate("y[70]")), "0");
  EXPECT_EQ(session->run(true).reason, StopReason::end);
  EXPECT_NE(text_of(*session->evaluate("y[70]")), "0");
  EXPECT_EQ(session->run(false).reason, StopReason::data);
  // Shared memory of the block in focus: it stays stale for the last 16 numbers, so it changes once.
  session->remove(Breakpoint::Kind::data);
  session->restart();
  ASSERT_TRUE(session->set_focus({1, 0, 0}));
  ASSERT_TRUE(session->add_data("((float*)shared)[63]", 0, Breakpoint::Access::change, "", "").verified);
  ASSERT_EQ(session->run(true).reason, StopReason::data);
  EXPECT_EQ(session->focus(), (Focus{1, 1, 31}));
  EXPECT_EQ(line_of(*session), line_with("stale_tile", "BUG:"));
  EXPECT_EQ(session->run(true).reason, StopReason::end);
}

TEST_P(Debug, InputsAreSetWhereThePastStays) {
  const auto session = session_of("stale_tile", GetParam());
  const auto set = [&](std::string_view expression, std::string_view value) {
    const auto done = session->set(expression, value, session->focus());
    return done ? text_of(*done) : done.error();
  };
  session->run(true);
  const std::string sum = text_of(*session->evaluate("y[3]"));
  // At the first instruction, all inputs.
  session->restart();
  EXPECT_EQ(set("x[3]", "x[3] + 100"), "103");
  EXPECT_EQ(set("y[70]", "2"), "2");
  EXPECT_EQ(set("p2", "4"), "4");
  session->run(true);
  EXPECT_NE(text_of(*session->evaluate("y[3]")), sum);
  EXPECT_EQ(text_of(*session->evaluate("x[3]")), "103");
  // An input that no instruction has used yet can be set at any stop, and the stop stays the same.
  session->restart();
  session->add_line("kernel.cu", line_with("stale_tile", "sum +="), "threadIdx.x == 37 && blockIdx.x == 1", "");
  ASSERT_EQ(session->run(true).reason, StopReason::breakpoint);
  Seen before = seen(*session);
  const std::int64_t cycle = session->cycle();
  EXPECT_EQ(set("x[900]", "-1.5"), "-1.5");
  Seen after = seen(*session);
  EXPECT_NE(after, before);
  before.memory.clear();
  after.memory.clear();
  EXPECT_EQ(after, before);
  EXPECT_EQ(session->stop().reason, StopReason::breakpoint);
  // Whatever has been used says by whom, and where it could still be set.
  const std::string used = set("x[3]", "1");
  EXPECT_TRUE(used.starts_with("x[3] cannot be set: ")) << used;
  EXPECT_NE(used.find(" reads it before this stop, at kernel.cu:"), std::string::npos) << used;
  const std::size_t at = used.find("go back to cycle ");
  ASSERT_NE(at, std::string::npos) << used;
  EXPECT_NE(set("p2", "1").find(" reads it before this stop"), std::string::npos) << set("p2", "1");
  session->go_to_cycle(std::stoll(used.substr(at + 17)));
  EXPECT_LT(session->cycle(), cycle);
  EXPECT_EQ(set("x[3]", "1"), "1");
  session->remove(Breakpoint::Kind::line);
  session->run(true);
  EXPECT_NE(set("y[3]", "1").find(" writes it before this stop"), std::string::npos);
  // The rest never.
  session->restart();
  EXPECT_NE(set(GetParam() ? "R0" : "%r1", "1").find("in a register"), std::string::npos);
  EXPECT_NE(set("((float*)shared)[0]", "1").find("shared memory has what the kernel wrote"), std::string::npos);
  EXPECT_EQ(set("p2", "1.5"), "p2 cannot be set: 1.5 is no whole number");
  EXPECT_EQ(set("p2", "5000000000"), "p2 cannot be set: 5000000000 does not fit into 32 bits");
  EXPECT_NE(set("x[99999999]", "1").find("x[99999999] cannot be set: "), std::string::npos);
  EXPECT_NE(set("threadIdx.x", "1").find("no place in memory"), std::string::npos);
  EXPECT_NE(set("x", "1").find("no place in memory"), std::string::npos);
}

TEST_P(Debug, SearchesAreInterrupted) {
  const auto session = session_of("stale_tile", GetParam());
  session->add_line("kernel.cu", line_with("stale_tile", "sum +="), "threadIdx.x == 37 && blockIdx.x == 1", "");
  std::atomic<bool> cancel = true;
  session->recording().set_control(&cancel, {});
  const Seen before = seen(*session);
  EXPECT_EQ(session->run(true).reason, StopReason::interrupted);
  EXPECT_EQ(seen(*session), before);
  EXPECT_FALSE(session->set("x[3]", "1", session->focus()));
  EXPECT_FALSE(session->who_wrote({WriterRequest::Kind::value, "y[1]"}));
  cancel = false;
  EXPECT_EQ(session->run(true).reason, StopReason::breakpoint);
}

TEST_P(Debug, FindsWhoWroteIt) {
  const auto session = session_of("wrong_index", GetParam());
  session->run(true);
  const auto answer = session->who_wrote({WriterRequest::Kind::value, "y[1]"});
  ASSERT_TRUE(answer) << answer.error();
  ASSERT_TRUE(answer->written());
  const WriterPlace& writer = answer->steps[answer->found];
  ASSERT_TRUE(writer.at);
  EXPECT_EQ(writer.thread.block, 0U);
  ASSERT_FALSE(answer->reads.empty());
  session->go_to(*writer.at, writer.thread.lane);
  EXPECT_EQ(session->next_instruction(), writer.instruction);
}

TEST_P(Debug, MemoryAtTheEndIsThatOfTheLaunch) {
  for (const char* const name : {"stale_tile", "lost_update", "overflow"}) {
    run::LoadedLaunch loaded = load(name, GetParam());
    gpu::Launch after = loaded.launch;
    ASSERT_TRUE(gpu::time_launch(h200(), *loaded.program, after));
    const auto session = session_of(name, GetParam());
    session->run(true);
    for (std::size_t b = 0; b < after.buffers.size(); ++b) {
      std::vector<std::uint8_t> bytes(after.buffers[b].bytes.size());
      ASSERT_TRUE(session->recording().read_global(0, session->cycle() + 100000,
                                                   session->recording().buffer_addresses()[b], bytes));
      EXPECT_EQ(bytes, after.buffers[b].bytes) << name << ", buffer " << b;
    }
  }
}

TEST_P(Debug, StopsWhereTheSanitizerFindsSomething) {
  const auto session = session_of("missing_barrier", GetParam());
  for (const gpu::FindingKind kind : {gpu::FindingKind::shared_race, gpu::FindingKind::global_race})
    session->add_exception(kind, "");
  ASSERT_EQ(session->run(true).reason, StopReason::exception);
  EXPECT_FALSE(session->stop().text.empty());
}

TEST(DebugBreakpoints, SayWhyTheyAreNotVerified) {
  const auto session = session_of("stale_tile", true);
  EXPECT_EQ(session->add_line("other.cu", 3, "", "").message,
            "the code has no lines of this file; it has lines of kernel.cu");
  EXPECT_EQ(session->add_line("kernel.cu", 3000, "", "").message, "no line with code from here on");
  EXPECT_EQ(session->add_line("kernel.cu", 8, "1 +", "").message,
            "the condition cannot be read: the expression ends too early");
  EXPECT_EQ(session->add_line("kernel.cu", 8, "", "often").message,
            "the hit count `often` cannot be read: write 5, >= 5, > 5, < 5 or % 5");
  EXPECT_FALSE(session->add_function("main", "", "").verified);
  EXPECT_TRUE(session->add_function("column_sums", "", "").verified);
  EXPECT_FALSE(session->add_instruction(3, "", "").verified);
  EXPECT_EQ(session->add_data("sum", 0, Breakpoint::Access::change, "", "").verified, false);
  EXPECT_TRUE(session->add_data("R0", 0, Breakpoint::Access::change, "", "").verified);
}

}  // namespace
}  // namespace warpwalk::debug
