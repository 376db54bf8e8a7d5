#include "instrumentation/recording_file.h"

#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrumentation/recorded/read_recording.h"
#include "instrumentation/recording_names.h"
#include "tests/app/program.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::uint64_t file_start = 1'700'000'000'000'000'000;

CallRow numbered_call(RecordingFile& file, std::uint32_t n) {
  CallRow row;
  row.start = file_start + n * 10, row.end = row.start + 5;
  row.name = file.name("cudaLaunchKernel_v7000"), row.thread = 1, row.correlation = n;
  return row;
}

std::string path_of(const testing::Folder& folder) { return folder.at("walk.json.gz"); }

TEST(RecordingFile, RowsOfManyThreadsAreAllThere) {
  const testing::Folder folder;
  RecordingFile file;
  file.add(MarkRow{file_start, 1, 0, "before CUDA"});
  ASSERT_TRUE(file.open(path_of(folder), 7));
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint32_t n = 0; n < 20'000; ++n) file.add(numbered_call(file, t * 20'000 + n));
    });
  for (std::thread& thread : threads) thread.join();
  file.close(End{file_start + 1, 0});
  file.add(numbered_call(file, 5));  // ignored
  const RecordingResult read = read_recording(partial_path(path_of(folder)));
  ASSERT_FALSE(read.error);
  EXPECT_EQ(read.trace.calls.size(), 80'000u);
  EXPECT_EQ(read.trace.instants.size(), 1u);
  EXPECT_TRUE(read.account.closed);
  EXPECT_EQ(read.account.damaged_bytes, 0u);
}

TEST(RecordingFile, TheSecondProcessHasAFileOfItsOwn) {
  const testing::Folder folder;
  RecordingFile first, second, third;
  ASSERT_TRUE(first.open(path_of(folder), 7));
  ASSERT_TRUE(second.open(path_of(folder), 8));
  EXPECT_FALSE(third.open(path_of(folder), 8));
  EXPECT_FALSE(RecordingFile().open(folder.at("no/such/walk.json.gz"), 9));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"walk.8.json.gz.partial", "walk.json.gz.partial"}));
}

TEST(RecordingFile, AFileOfThisNameOrNone) {
  const testing::Folder folder;
  const std::string partial = partial_path(path_of(folder)).string();
  RecordingFile file, other;
  EXPECT_EQ(file.create_for(path_of(folder)), "");
  EXPECT_EQ(other.create_for(path_of(folder)), partial + ": another process records into it");
  file.close(End{file_start, 0});
  EXPECT_THAT(other.create_for(path_of(folder)), ::testing::HasSubstr("left over from a recording"));
  other.discard();
  EXPECT_TRUE(std::filesystem::exists(partial)) << "it is not the other's";
  file.discard();
  EXPECT_FALSE(std::filesystem::exists(partial));
}

// A child that was started without handlers of a fork keeps the file open until it starts its program.
TEST(RecordingFile, AChildThatHasItOpenDoesNotKeepItLocked) {
  const testing::Folder folder;
  RecordingFile file;
  ASSERT_EQ(file.create_for(path_of(folder)), "");
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  EXPECT_TRUE(is_being_written(partial_path(path_of(folder))));
  file.close(End{file_start, 0});
  EXPECT_FALSE(is_being_written(partial_path(path_of(folder))));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(RecordingFile, CutOffAnywhereItIsReadUpToThere) {
  const testing::Folder folder;
  RecordingFile file;
  ASSERT_TRUE(file.open(path_of(folder), 7));
  for (std::uint32_t n = 0; n < 50; ++n) {
    file.add(numbered_call(file, n));
    if (n % 10 == 9) file.flush();
  }
  file.close(End{file_start + 1, 0});
  const std::string whole = testing::text_of(partial_path(path_of(folder)));
  std::size_t before = 0;
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    const RecordingResult read = read_recording(folder.file("cut", std::string_view(whole).substr(0, cut)));
    ASSERT_FALSE(read.error) << cut;
    EXPECT_GE(read.trace.calls.size(), before);
    EXPECT_EQ(read.trace.calls.size() % 10, 0u);
    EXPECT_EQ(read.account.closed, cut == whole.size());
    before = read.trace.calls.size();
  }
  EXPECT_EQ(before, 50u);
}

TEST(RecordingFile, ADiskWithoutRoomIsCountedToTheRow) {
  const testing::Folder folder;
  // A file size limit simulates a full disk. It is set in a child process, because it cannot be raised again.
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    RecordingFile file;
    if (!file.open(path_of(folder), 7)) _exit(1);
    for (std::uint32_t n = 0; n < 200'000; ++n) file.add(numbered_call(file, n));
    file.close(End{file_start + 1, 0});
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  const RecordingResult read = read_recording(partial_path(path_of(folder)));
  ASSERT_FALSE(read.error);
  EXPECT_GT(read.trace.calls.size(), 1000u);
  EXPECT_EQ(read.trace.calls.size() + read.account.unwritten, 200'000u);
  EXPECT_TRUE(read.account.closed);
}

TEST(RecordingFile, WhatWaitsForCudaIsBounded) {
  const testing::Folder folder;
  RecordingFile file;
  const std::string text(1000, 'x');
  for (int n = 0; n < 10'000; ++n) file.add(MarkRow{file_start, 1, file.name("a domain"), text});
  ASSERT_TRUE(file.open(path_of(folder), 7));
  file.add(MarkRow{file_start, 1, file.name("late"), "late"});
  file.close(End{file_start, 0});
  const RecordingResult read = read_recording(partial_path(path_of(folder)));
  EXPECT_EQ(read.trace.instants.size() + read.account.unwritten, 10'001u);
  EXPECT_GT(read.trace.instants.size(), 3'000u);
  EXPECT_EQ(read.account.damaged_bytes, 0u);
}

TEST(ReadRecording, FilesThatAreNone) {
  const testing::Folder folder;
  EXPECT_THAT(*read_recording(folder.at("missing")).error, ::testing::HasSubstr("cannot be read"));
  const auto none = read_recording(folder.file("text", "this is no recording"));
  EXPECT_THAT(*none.error, ::testing::HasSubstr("not a recording of this version"));
  EXPECT_FALSE(read_recording(folder.file("empty", "")).error);
}

TEST(ReadRecording, RowsBeyondTheMemoryCapAreCounted) {
  const testing::Folder folder;
  RecordingFile file;
  ASSERT_TRUE(file.open(path_of(folder), 7));
  for (std::uint32_t n = 0; n < 100'000; ++n) {
    file.add(numbered_call(file, n));
    if (n % 1000 == 0) file.flush();
  }
  file.add(LossRow{5, 0, 0});
  file.close(End{file_start, 0});
  const RecordingResult read = read_recording(partial_path(path_of(folder)), {.memory_cap_bytes = 4 << 20});
  EXPECT_GT(read.trace.calls.size(), 1'000u);
  EXPECT_LT(read.trace.calls.size(), 100'000u);
  EXPECT_EQ(read.trace.calls.size() + read.account.left_out, 100'000u);
  EXPECT_EQ(read.account.dropped, 5u);
  EXPECT_TRUE(read.account.closed);
}

}  // namespace
}  // namespace warpwalk::instrumentation
