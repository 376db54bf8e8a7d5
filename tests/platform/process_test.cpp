// Starts programs, signals them, waits for them and abandons them.
#include "core/platform/process.h"

#include <array>
#include <csignal>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/platform/pipe.h"

namespace warpwalk::platform {
namespace {

/// Reads a pipe until all its writers have closed it.
std::string all_of(Pipe& pipe) {
  pipe.close_write_end();
  std::string text;
  std::array<char, 256> piece;
  for (ssize_t n = 0; (n = read(pipe.read_end(), piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(n));
  return text;
}

Process start_shell(const std::string& script, const Process::Streams& streams, Process::Group group) {
  return *Process::start({"/bin/sh", "-c", script}, streams, group);
}

TEST(Process, HasTheStreamsItIsGiven) {
  Pipe in, out, errors;
  ASSERT_TRUE(in.good() && out.good() && errors.good());
  Process program = start_shell("read word; echo out $word; echo errors $word >&2",
                                {in.read_end(), out.write_end(), errors.write_end()}, Process::Group::inherited);
  ASSERT_EQ(write(in.write_end(), "here\n", 5), 5);
  EXPECT_EQ(all_of(out), "out here\n");
  EXPECT_EQ(all_of(errors), "errors here\n");
  const auto end = program.wait();
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->good());
}

TEST(Process, HasNothingWhereItIsGivenNone) {
  Pipe out;
  Process program =
      start_shell("readlink /proc/self/fd/0 /proc/self/fd/2", {-1, out.write_end(), -1}, Process::Group::inherited);
  EXPECT_EQ(all_of(out), "/dev/null\n/dev/null\n");
  EXPECT_TRUE(program.wait()->good());
}

TEST(Process, ThatCannotBeStartedSaysWhy) {
  const auto none = Process::start({"/no/such/program"}, {}, Process::Group::inherited);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), "No such file or directory");
}

TEST(Process, ItsEndIsSeenBeforeItIsWaitedFor) {
  Pipe out;
  Process program = start_shell("exit 3", {-1, out.write_end(), -1}, Process::Group::inherited);
  all_of(out);
  while (!program.has_ended()) usleep(1000);
  EXPECT_TRUE(program.has_ended()) << "to ask takes nothing away";
  EXPECT_EQ(program.wait()->exit_status, 3);
}

TEST(Process, ASignalToAGroupReachesAllOfIt) {
  Pipe out;
  Process program =
      start_shell("trap '' TERM; sleep 60 & echo started; wait", {-1, out.write_end(), -1}, Process::Group::own);
  std::array<char, 8> started;
  ASSERT_EQ(read(out.read_end(), started.data(), started.size()), 8);
  EXPECT_FALSE(program.has_ended());
  program.signal(SIGKILL);
  EXPECT_EQ(all_of(out), "") << "the pipe is closed only once both are gone";
  const auto end = program.wait();
  EXPECT_EQ(end->signal, SIGKILL);
  EXPECT_FALSE(end->good());
}

volatile std::sig_atomic_t urgent = 0;

// Uses SIGURG because other processes ignore it by default.
TEST(Process, ThatWasWaitedForIsNotSignalledAndNobodyInItsPlace) {
  const auto before = std::signal(SIGURG, [](int) { urgent = 1; });
  for (const Process::Group group : {Process::Group::inherited, Process::Group::own}) {
    Process program = start_shell("exit 0", {}, group);
    program.wait();
    program.signal(SIGURG);
    Process moved = start_shell("exit 0", {}, group);
    const Process taken = std::move(moved);
    moved.signal(SIGURG);  // NOLINT: uses the moved-from object on purpose
  }
  EXPECT_EQ(urgent, 0);
  std::signal(SIGURG, before);
}

TEST(Process, ThatNobodyWaitsForIsKilledWithItsGroup) {
  Pipe out;
  {
    const Process program =
        start_shell("sleep 60 & echo started; wait", {-1, out.write_end(), -1}, Process::Group::own);
    std::array<char, 8> started;
    ASSERT_EQ(read(out.read_end(), started.data(), started.size()), 8);
  }
  EXPECT_EQ(all_of(out), "");
}

}  // namespace
}  // namespace warpwalk::platform
