// Runs programs that print, hang, leave children in the background and close their output.
#include "core/platform/child_program.h"

#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

namespace warpwalk::platform {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

std::vector<std::string> shell_command(const std::string& line) { return {"/bin/sh", "-c", line}; }

ChildLimits within(milliseconds time) { return {Clock::now() + time, nullptr}; }

/// True if the process exists and is not a zombie.
bool is_alive(int pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return static_cast<bool>(in >> number >> name >> state) && state != "Z";
}

/// True if the process ends within 10 seconds: SIGKILL takes effect with a delay.
bool ends(int pid) {
  for (const auto until = Clock::now() + seconds(10); Clock::now() < until; usleep(10'000))
    if (!is_alive(pid)) return true;
  return false;
}

/// Sets `cancel` after one second.
std::jthread cancels(std::atomic<bool>& cancel) {
  return std::jthread([&cancel] {
    std::this_thread::sleep_for(seconds(1));
    cancel = true;
  });
}

TEST(ChildProgram, BothOfItsStreamsAndItsEnd) {
  for (const ChildLimits& limits : {ChildLimits(), within(seconds(20))}) {
    const auto echo = run_child(shell_command("echo a; echo b >&2; echo c"), limits);
    ASSERT_TRUE(echo);
    EXPECT_EQ(echo->output, "a\nb\nc\n");
    EXPECT_TRUE(echo->good());
    const auto fails = run_child(shell_command("echo why; exit 3"), limits);
    ASSERT_TRUE(fails);
    EXPECT_EQ(fails->output, "why\n");
    EXPECT_EQ(fails->exit_status, 3);
    EXPECT_FALSE(fails->good());
    EXPECT_TRUE(fails->in_time);
    const auto crashes = run_child(shell_command("kill -SEGV $$"), limits);
    ASSERT_TRUE(crashes);
    EXPECT_EQ(crashes->signal, SIGSEGV);
    EXPECT_FALSE(crashes->good());
    EXPECT_FALSE(run_child({"/no/such/program"}, limits));
  }
}

TEST(ChildProgram, AllOfALongOutput) {
  const auto run =
      run_child(shell_command("i=0; while [ $i -lt 20000 ]; do echo 0123456789012345678901234567890123456789; "
                              "i=$((i+1)); done"));
  ASSERT_TRUE(run);
  EXPECT_EQ(run->output.size(), 20000u * 41);
  EXPECT_TRUE(run->good());
}

TEST(ChildProgram, ReadsNothing) {
  const auto run = run_child({"/bin/cat"}, within(seconds(20)));
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->good());
  EXPECT_EQ(run->output, "");
}

TEST(ChildProgram, IsEndedAtItsLimitWithAllThatItStarted) {
  const auto began = Clock::now();
  const auto run = run_child(shell_command("sleep 60 & echo $!; wait"), within(seconds(1)));
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->in_time);
  EXPECT_FALSE(run->cancelled);
  EXPECT_FALSE(run->good());
  EXPECT_EQ(run->signal, SIGKILL);
  EXPECT_GE(Clock::now(), began + seconds(1));
  EXPECT_LT(Clock::now(), began + seconds(20));
  ASSERT_FALSE(run->output.empty()) << "what it printed until then is kept";
  EXPECT_TRUE(ends(std::stoi(run->output)));
}

TEST(ChildProgram, IsEndedAtItsLimitWhenItsOutputIsClosed) {
  const auto began = Clock::now();
  const auto run = run_child(shell_command("echo $$; exec >&- 2>&-; sleep 60"), within(seconds(1)));
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->in_time);
  EXPECT_GE(Clock::now(), began + seconds(1));
  EXPECT_LT(Clock::now(), began + seconds(20));
  EXPECT_FALSE(is_alive(std::stoi(run->output))) << "it was waited for";
}

TEST(ChildProgram, IsEndedWhenSomebodyAsks) {
  for (const char* const line : {"sleep 60 & echo $!; wait", "sleep 60 >&- 2>&- & echo $!; exec >&- 2>&-; wait"}) {
    std::atomic<bool> cancel = false;
    const std::jthread soon = cancels(cancel);
    const auto began = Clock::now();
    const auto run = run_child(shell_command(line), {{}, &cancel});
    ASSERT_TRUE(run) << line;
    EXPECT_TRUE(run->cancelled) << line;
    EXPECT_TRUE(run->in_time) << line;
    EXPECT_FALSE(run->good()) << line;
    EXPECT_LT(Clock::now(), began + seconds(20)) << line;
    EXPECT_TRUE(ends(std::stoi(run->output))) << line;
  }
}

TEST(ChildProgram, ThatNobodyAsksToEndIsNotEnded) {
  const std::atomic<bool> cancel = false;
  const auto run = run_child(shell_command("sleep 0.1; echo done"), {Clock::now() + seconds(20), &cancel});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->output, "done\n");
  EXPECT_TRUE(run->good());
}

TEST(ChildProgram, HoldsBackNoSignalOfThisProcess) {
  sigset_t held, before;
  sigfillset(&held);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  const auto run = run_child({"/bin/grep", "SigBlk", "/proc/self/status"});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->output, "SigBlk:\t0000000000000000\n");
}

TEST(ChildProgram, HasAGroupOfItsOwnWhereItHasLimits) {
  // Prints the PID and the process group.
  const std::vector<std::string> cut = {"/bin/sh", "-c", "echo $$; exec cut -d' ' -f5 /proc/self/stat"};
  const auto limited = run_child(cut, within(seconds(20))), free = run_child(cut);
  ASSERT_TRUE(limited && free);
  const std::string number = limited->output.substr(0, limited->output.find('\n') + 1);
  EXPECT_EQ(limited->output, number + number);
  EXPECT_TRUE(free->output.ends_with("\n" + std::to_string(getpgrp()) + "\n")) << free->output;
}

TEST(ChildProgram, SignalsToThisProcessDoNotDisturb) {
  struct sigaction counts {
  }, before{};
  counts.sa_handler = [](int) {};  // without SA_RESTART, so blocking calls are interrupted
  sigaction(SIGUSR1, &counts, &before);
  const pthread_t here = pthread_self();
  for (const ChildLimits& limits : {ChildLimits(), within(seconds(20))}) {
    const std::jthread disturbs([here](const std::stop_token& stop) {
      for (; !stop.stop_requested(); std::this_thread::sleep_for(milliseconds(2))) pthread_kill(here, SIGUSR1);
    });
    const auto run = run_child(shell_command("echo a; sleep 0.2; echo b; exec >&- 2>&-; sleep 0.2; exit 4"), limits);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->output, "a\nb\n");
    EXPECT_EQ(run->exit_status, 4);
    EXPECT_TRUE(run->in_time);
  }
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(ChildProgram, WhoseEndNobodyIsToldIsNotGood) {
  struct sigaction ignored {
  }, before{};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &ignored, &before);
  const auto run = run_child({"/bin/true"}, within(seconds(20)));
  sigaction(SIGCHLD, &before, nullptr);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->exit_status, -1);
  EXPECT_FALSE(run->good());
}

}  // namespace
}  // namespace warpwalk::platform
