// A film made in the background. The program is this test program: its disabled tests replace the render verb.
#include "app/film/film_job.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwalk::film {
namespace {

TEST(FilmProgram, DISABLED_Films) { std::fputs("frame 1 of 4\nframe 4 of 4\n", stderr); }

TEST(FilmProgram, DISABLED_Fails) {
  std::fputs("frame 1 of 4\nffmpeg is not what it was\n", stderr);
  FAIL();
}

TEST(FilmProgram, DISABLED_FailsSilently) { FAIL(); }

TEST(FilmProgram, DISABLED_Hangs) {
  std::fputs("frame 1 of 4\n", stderr);
  pause();
}

void start(FilmJob& job, const std::string& program) {
  const auto started =
      job.start({"--gtest_also_run_disabled_tests", "--gtest_filter=FilmProgram.DISABLED_" + program}, "walk.mp4");
  EXPECT_TRUE(started) << started.error();
}

/// Polls until the film is done or its progress reaches `share`.
shell::FilmProgress wait_for(FilmJob& job, double share = 2) {
  shell::FilmProgress progress;
  for (int n = 0; n < 1000; ++n) {
    progress = job.poll();
    if (progress.done || progress.share >= share) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return progress;
}

TEST(FilmJob, SaysHowItWent) {
  FilmJob job;
  EXPECT_TRUE(job.poll().done) << "there is none yet";
  struct Expected {
    const char *program, *file, *error;
  };
  for (const auto& [program, file, error] : {Expected{"Films", "walk.mp4", ""},
                                             {"Fails", "", "ffmpeg is not what it was"},
                                             {"FailsSilently", "", ""},
                                             {"Films", "walk.mp4", ""}}) {
    start(job, program);
    const shell::FilmProgress progress = wait_for(job);
    EXPECT_TRUE(progress.done) << program;
    EXPECT_EQ(progress.file, file);
    EXPECT_EQ(progress.error, error);
    EXPECT_FALSE(progress.cancelled);
    EXPECT_TRUE(job.poll().done);
  }
}

TEST(FilmJob, IsCancelledHalfway) {
  FilmJob job;
  start(job, "Hangs");
  const shell::FilmProgress progress = wait_for(job, 0.25);
  EXPECT_FALSE(progress.done);
  EXPECT_EQ(progress.share, 0.25);
  job.cancel();
  EXPECT_TRUE(job.poll().done);
  EXPECT_TRUE(job.poll().cancelled);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
}

TEST(FilmJob, GoesWithItsOwner) {
  {
    FilmJob job;
    start(job, "Hangs");
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
}

}  // namespace
}  // namespace warpwalk::film
