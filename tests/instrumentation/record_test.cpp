// Runs `warpwalk record` on a program that uses a fake CUDA (see fake_program.cpp, fake_cupti.cpp).
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"
#include "instrumentation/recorded/read_recording.h"
#include "instrumentation/recording_names.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

const std::string libraries = "LD_LIBRARY_PATH=" WARPWALK_FAKE_DRIVER ":" WARPWALK_FAKE_CUPTI;

std::vector<std::string> command(const Folder& folder, const std::vector<std::string>& acts) {
  std::vector<std::string> words = {"record", "-o", folder.at("walk.json.gz"), "--", WARPWALK_FAKE_PROGRAM};
  words.insert(words.end(), acts.begin(), acts.end());
  return words;
}

Outcome record(const Folder& folder, const std::vector<std::string>& acts, std::vector<std::string> environment = {}) {
  environment.push_back(libraries);
  return run(command(folder, acts), environment);
}

std::size_t kernels(const trace::Trace& trace) { return trace.kernels.size(); }

trace::Trace read(const Folder& folder, const std::string& name = "walk.json.gz") {
  trace::ReadResult result = trace::read_trace(folder.at(name));
  EXPECT_FALSE(result.error) << *result.error;
  for (const trace::Problem& problem : result.problems.rows()) ADD_FAILURE() << problem.message;
  return std::move(result.trace);
}

// Waits up to ten seconds for the condition.
template <class Condition>
bool eventually(Condition condition) {
  for (int n = 0; n < 500; ++n) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST(Record, AProgramsKernelsAndRangesAndItsOwnOutput) {
  const Folder folder;
  const Outcome outcome = record(folder, {"nvtx", "push:before", "pop", "cuda", "say:hello", "push:aten::relu, seq = 4",
                                          "launch:3", "pop", "ranges"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.out, "hello\n");
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("walk.json.gz: 1 op, 3 calls, 3 kernels, 0 copies, 0 sets"));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"walk.json.gz"});
  const trace::Trace trace = read(folder);
  EXPECT_EQ(kernels(trace), 3u);
  std::map<std::string, std::string> ranges;
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.slices.kind[s] == trace::SliceKind::op || trace.slices.kind[s] == trace::SliceKind::annotation)
      ranges[std::string(trace.name(s))] = trace.text(trace.slices.extra[s]);
  EXPECT_EQ(ranges, (std::map<std::string, std::string>{{"before", ""},
                                                        {"aten::relu", ""},
                                                        {"registered", "\"domain\": \"library\""},
                                                        {"from here to there", ""},
                                                        {"grüß → 😀", ""}}));
  ASSERT_EQ(trace.instants.size(), 1u);
  EXPECT_EQ(trace.text(trace.instants[0].name), "a mark");
  for (const trace::KernelDetail& kernel : trace.kernels) EXPECT_NE(kernel.launch, trace::no_slice);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("memory pools are not recorded"));
}

// A program of which PyTorch writes a log, and whose kernel is in Triton's cache, in an older and a newer entry.
TEST(Record, WhatTheCompilersWroteIsKept) {
  const Folder folder;
  const std::filesystem::path cache = folder.path() / "cache";
  const auto add_entry = [&](const std::string& entry, const std::string& kernel) {
    std::filesystem::create_directories(cache / entry);
    for (const char* const kind : {"ttir", "ptx", "cubin"})
      folder.file("cache/" + entry + "/" + kernel + "." + kind, entry + " " + kind);
    folder.file("cache/" + entry + "/" + kernel + ".json",
                R"({"name": ")" + kernel + R"(", "num_warps": 4, "target": {"arch": 90}})");
  };
  add_entry("OLDER", "_Z5scalePffi");
  std::filesystem::last_write_time(cache / "OLDER/_Z5scalePffi.cubin",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  add_entry("NEWER", "_Z5scalePffi");
  add_entry("OTHER", "never_launched");
  std::filesystem::create_directories(folder.path() / "walk.compiled/triton/OF_AN_EARLIER_RUN");
  const auto record = [&](const std::string& output, std::vector<std::string> options) {
    std::vector<std::string> words = {"record", "--no-sass", "-o", folder.at(output)};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(),
                 {"--", "sh", "-c",
                  "if [ -n \"$TORCH_TRACE\" ]; then mkdir -p $TORCH_TRACE; echo a > $TORCH_TRACE/a.log; fi; "
                  "exec " WARPWALK_FAKE_PROGRAM " cuda launch:1"});
    return run(words, {libraries, "TRITON_CACHE_DIR=" + cache.string(), "HOME=" + folder.at("home"), "TORCH_TRACE="});
  };
  const Outcome outcome = record("walk.json.gz", {});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.error,
              ::testing::HasSubstr("warpwalk: walk.compiled: what the compilers wrote of 1 Triton kernel, "
                                   "and the log of torch.compile ("));
  EXPECT_EQ(text_of(folder.path() / "walk.compiled/triton/NEWER/_Z5scalePffi.ttir"), "NEWER ttir");
  EXPECT_EQ(text_of(folder.path() / "walk.compiled/torch/a.log"), "a\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "walk.compiled/triton/OTHER"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "walk.compiled/triton/OLDER"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "walk.compiled/triton/OF_AN_EARLIER_RUN"));
  const Outcome without = record("bare.json.gz", {"--no-compiled"});
  EXPECT_EQ(without.status, 0) << without.error;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "bare.compiled"));
}

TEST(Record, ItsFailureIsToldAndWhatItDidIsKept) {
  struct Case {
    std::vector<std::string> acts;
    std::string words;
  };
  for (const Case& one : {Case{{"cuda", "launch:5", "exit:7"}, "exited with status 7"},
                          Case{{"cuda", "launch:5", "abort"}, "was terminated by signal 6"},
                          // The recorder's thread writes ten times per second.
                          Case{{"cuda", "launch:5", "sleep:1000", "kill"}, "was terminated by signal 9"}}) {
    const Folder folder;
    const Outcome outcome = record(folder, one.acts);
    EXPECT_EQ(outcome.status, 1) << one.words;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr(one.words));
    EXPECT_EQ(kernels(read(folder)), 5u) << one.words;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"walk.json.gz"});
  }
}

TEST(Record, AnInterruptEndsTheProgramAndFinishesTheWalk) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Folder folder;
    Program program(command(folder, {"cuda", "launch:4", "say:running", "pause"}), {libraries}, folder.at("out"));
    ASSERT_TRUE(eventually([&] { return text_of(folder.at("out")) == "running\n"; }));
    kill(program.pid(), signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 1) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr("was terminated by signal " + std::to_string(signal)));
    EXPECT_EQ(kernels(read(folder)), 4u);
  }
}

TEST(Record, AProgramThatAnswersSignalsItselfStillDoes) {
  const Folder folder;
  Program program(command(folder, {"catch", "cuda", "launch:4", "say:running", "sleep:500", "say:flushed", "pause"}),
                  {libraries}, folder.at("out"));
  ASSERT_TRUE(eventually([&] { return text_of(folder.at("out")) == "running\nflushed\n"; }));
  kill(program.pid(), SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("exited with status 42"));
  EXPECT_EQ(kernels(read(folder)), 4u);
}

TEST(Record, ProcessesThatAreForkedHaveWalksOfTheirOwn) {
  const Folder folder;
  // Leak detection is off: at the child's exit, the leak checker of AddressSanitizer waits for an allocator lock that a
  // thread of the parent may have held at the fork.
  const Outcome outcome = record(folder, {"nvtx", "push:parent", "cuda", "launch:2", "child", "launch:9", "exit:0"},
                                 {"ASAN_OPTIONS=detect_leaks=0"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.out, "child 0\n");
  // A child that only inherits CUDA has no recorder and does not change the parent's walk.
  EXPECT_EQ(kernels(read(folder)), 2u);

  const Folder other;
  const Outcome two = record(other, {"nvtx", "push:x", "pop", "child", "cuda", "launch:3"});
  EXPECT_EQ(two.status, 0) << two.error;
  EXPECT_EQ(kernels(read(other)), 3u);
}

// The kernels in each walk of the folder, by the first range in it.
std::map<std::string, std::size_t> kernels_by_range(const Folder& folder) {
  std::map<std::string, std::size_t> found;
  for (const std::string& name : folder.names()) {
    const trace::Trace trace = read(folder, name);
    std::string range = name;
    for (trace::SliceId s = trace.slices.size(); s-- > 0;)
      if (trace.slices.kind[s] == trace::SliceKind::annotation) range = trace.name(s);
    found[range] += kernels(trace);
  }
  return found;
}

TEST(Record, ForkedProcessesFork) {
  const Folder folder;
  const Outcome outcome =
      record(folder, {"nvtx", "push:parent",     "pop", "fork", "push:child", "pop",  "fork", "push:grandchild", "pop",
                      "fork", "push:last child", "pop", "cuda", "launch:4",   "wait", "cuda", "launch:3",        "wait",
                      "fork", "push:second",     "pop", "cuda", "launch:5",   "wait", "cuda", "launch:2",        "wait",
                      "cuda", "launch:1"},
             {"ASAN_OPTIONS=detect_leaks=0"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.out, "child 0\nchild 0\nchild 0\nchild 0\n");
  EXPECT_EQ(kernels_by_range(folder),
            (std::map<std::string, std::size_t>{
                {"parent", 1}, {"child", 2}, {"grandchild", 3}, {"last child", 4}, {"second", 5}}));
}

TEST(Record, ForksAfterCudaHasStartedLeaveTheWalkAlone) {
  const Folder folder;
  const Outcome outcome = record(
      folder,
      {"nvtx", "push:parent", "pop",  "cuda", "launch:2",   "fork", "push:child", "pop",  "fork", "push:grandchild",
       "pop",  "wait",        "fork", "wait", "push:child", "pop",  "wait",       "fork", "fork", "wait",
       "wait", "launch:1"},
      {"ASAN_OPTIONS=detect_leaks=0"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.out, "child 0\nchild 0\nchild 0\nchild 0\nchild 0\n");
  EXPECT_EQ(kernels_by_range(folder), (std::map<std::string, std::size_t>{{"parent", 3}}));
}

// A child has no thread that could release a lock which another thread of its parent held.
TEST(Record, ForksWhileOtherThreadsAreInTheRecorder) {
  const Folder folder;
  std::vector<std::string> acts = {"nvtx", "strings"};
  std::string children;
  for (int n = 0; n < 20; ++n) {
    acts.insert(acts.end(), {"fork", "ranges", "wait"});
    children += "child 0\n";
  }
  acts.insert(acts.end(), {"cuda", "launch:1"});
  const Outcome outcome = record(folder, acts, {"ASAN_OPTIONS=detect_leaks=0"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.out, children);
  EXPECT_EQ(kernels(read(folder)), 1u);
}

TEST(Record, WorkWithoutRoomForItsTimesIsCountedAndTheWayOutIsTold) {
  const Folder folder;
  const Outcome outcome = record(folder, {"cuda", "launch:2", "graph:3", "fill", "launch:4", "graph:3", "graph:3"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("9 kernels, 0 copies"));
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("4 kernels came from CUPTI without times"));
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("6 kernels, copies or sets of graph launches were not delivered"));
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("record again with --timed-kernels 23,"));
}

TEST(Record, RoomForTheTimesOfMoreKernelsIsAskedFor) {
  const auto recorded = [](const std::string& kernels, std::vector<std::string> environment) {
    const Folder folder;
    std::vector<std::string> words = command(folder, {"cuda", "launch:2"});
    words.insert(words.begin() + 1, {"--timed-kernels", kernels});
    environment.push_back(libraries);
    const Outcome outcome = run(words, environment);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(trace::read_trace(folder.at("walk.json.gz")).trace.kernels.size(), 2u);
    return outcome.error;
  };
  EXPECT_THAT(recorded("20000000", {}), ::testing::HasSubstr("device buffers: 301\n"));
  EXPECT_THAT(recorded("1", {}), ::testing::HasSubstr("device buffers: 270\n")) << "never less than usual";
  EXPECT_THAT(recorded("20000000", {"WARPWALK_FAKE_CUPTI=no attributes"}),
              ::testing::HasSubstr("--timed-kernels has no effect: CUPTI_ERROR_OTHER (error 1)"));
  const Folder folder;
  const Outcome none = record(folder, {"cuda", "launch:2"});
  EXPECT_THAT(none.error, ::testing::Not(::testing::HasSubstr("device buffers"))) << "not asked for";
}

TEST(Record, DroppedRecordsAreCountedAndShown) {
  const Folder folder;
  const Outcome outcome =
      record(folder, {"cuda", "launch:2", "drop:123", "sleep:300", "launch:1", "sleep:300", "drop:4"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("127 records were dropped by CUPTI and are missing"));
  // Opening the walk reports the loss.
  const trace::ReadResult walk = trace::read_trace(folder.at("walk.json.gz"));
  ASSERT_EQ(walk.problems.rows().size(), 1u);
  EXPECT_EQ(walk.problems.rows()[0].message, "the recording lacks 127 records that CUPTI dropped");
  EXPECT_EQ(walk.problems.rows()[0].count, 127u);
}

TEST(Record, RangesThatNeverEndAreMarked) {
  const Folder folder;
  const Outcome outcome = record(folder, {"nvtx", "cuda", "push:epoch 3", "launch:1", "abort"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("1 kernels or ranges had not ended"));
}

// A fake nvdisasm that prints the real output for data/two.cubin.
std::string path_with_nvdisasm(const Folder& tools) {
  const std::string from = WARPWALK_SOURCE_DIR "/tests/instrumentation/data/";
  const std::string script = tools.file(
      "nvdisasm", "#!/bin/sh\ncase $1 in -gi) cat " + from + "two.g.sass;; *) cat " + from + "two.gp.sass;; esac\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  return "PATH=" + tools.path().string() + ":/usr/bin:/bin";
}
const std::string load_two = "load:" WARPWALK_SOURCE_DIR "/tests/instrumentation/data/two.cubin";

TEST(Record, TheMachineCodeOfWhatWasLaunched) {
  const Folder folder, tools;
  const Outcome outcome =
      record(folder, {"cuda", load_two, load_two, "launch:3", "abort"}, {path_with_nvdisasm(tools)});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("walk.json.gz: machine code of 1 of 1 different kernels"));
  const trace::Trace trace = read(folder);
  ASSERT_EQ(trace.records.modules.size(), 1u);
  EXPECT_THAT(trace.records.modules[0].sass, ::testing::HasSubstr("FMUL"));
  ASSERT_EQ(trace.records.kernels.size(), 1u);
  EXPECT_EQ(trace.records.kernels[0].entry, "_Z5scalePffi");
  for (const trace::KernelDetail& kernel : trace.kernels) EXPECT_EQ(kernel.record, 0);
}

TEST(Record, WithoutMachineCodeEverythingElseIsRecorded) {
  const Folder tools;
  const std::vector<std::string> acts = {"cuda", load_two, "launch:3"};
  {
    const Folder folder;
    std::vector<std::string> words = command(folder, acts);
    words.insert(words.begin() + 1, "--no-sass");
    const Outcome outcome = run(words, {libraries, path_with_nvdisasm(tools)});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.error, ::testing::Not(::testing::HasSubstr("machine code")));
    EXPECT_EQ(kernels(read(folder)), 3u);
  }
  {
    const Folder folder;
    const Outcome outcome = record(folder, acts, {"WARPWALK_FAKE_CUPTI=no modules", path_with_nvdisasm(tools)});
    EXPECT_EQ(outcome.status, 0);
    const std::string summary =
        "the machine code of kernels is not recorded: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (error 39)";
    const std::size_t once = outcome.error.find(summary);
    EXPECT_NE(once, std::string::npos) << outcome.error;
    EXPECT_EQ(outcome.error.find("machine code", once + summary.size()), std::string::npos) << outcome.error;
    const trace::Trace trace = read(folder);
    EXPECT_EQ(kernels(trace), 3u);
    EXPECT_TRUE(trace.records.modules.empty());
  }
}

TEST(Record, AnInterruptWhileCodeIsReadLosesNothingElse) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Folder folder, tools;
    const std::string script =
        tools.file("nvdisasm", "#!/bin/sh\necho $$ > " + tools.at("number") + "\nexec sleep 60\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    Program program(command(folder, {"cuda", load_two, "launch:3"}),
                    {libraries, "PATH=" + tools.path().string() + ":/usr/bin:/bin"});
    pid_t nvdisasm = 0;
    ASSERT_TRUE(eventually([&] { return static_cast<bool>(std::ifstream(tools.at("number")) >> nvdisasm); }));
    const auto began = std::chrono::steady_clock::now();
    kill(program.pid(), signal);
    const Outcome outcome = program.wait();
    EXPECT_LT(std::chrono::steady_clock::now(), began + std::chrono::seconds(20));
    EXPECT_EQ(outcome.status, 128 + signal) << "the walk first, then what the signal always does";
    EXPECT_THAT(outcome.error, ::testing::HasSubstr("walk.json.gz: no machine code for 1 kernel: interrupted"));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"walk.json.gz"});
    EXPECT_EQ(kernels(read(folder)), 3u);
    EXPECT_EQ(kill(nvdisasm, 0), -1) << "nvdisasm is left";
  }
}

// Expects exit status 2, one error line, and no files left behind.
void expect_refused(const Folder& folder, const Outcome& outcome, const std::string& words) {
  EXPECT_EQ(outcome.status, 2) << outcome.error;
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_THAT(outcome.error, ::testing::HasSubstr(words));
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

TEST(Record, OneLineWhereNothingCanBeRecorded) {
  const Folder folder;
  expect_refused(folder, record(folder, {"cuda", "launch:1"}, {"WARPWALK_FAKE_CUPTI=busy"}),
                 "nothing was recorded: libcupti.so.13: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (error 39)");
  expect_refused(folder, record(folder, {"cuda", "launch:1"}, {"WARPWALK_FAKE_CUDA=no device"}), "no GPU to record on");
  expect_refused(folder, record(folder, {"say:x"}), "did not use CUDA; nothing was recorded");
  expect_refused(folder, record(folder, {"cuda"}, {"CUDA_INJECTION64_PATH=/opt/tool.so"}),
                 "/opt/tool.so: another tool");
  expect_refused(folder, run({"record", "-o", folder.at("w.json"), "--", "/no/such/program"}, {libraries}),
                 "/no/such/program: cannot be started: No such file or directory");
  expect_refused(folder, run({"record", "-o", folder.at("no/w.json"), "--", "true"}, {libraries}),
                 "there is no such folder");
  expect_refused(folder, run({"record", "-o", folder.at("w.json")}, {libraries}), "give a program to record");
  const Outcome privileges = record(folder, {"cuda", "launch:1"}, {"WARPWALK_FAKE_CUPTI=no privileges"});
  EXPECT_EQ(privileges.status, 2);
  EXPECT_THAT(privileges.error, ::testing::HasSubstr("nothing was recorded"));
}

TEST(Record, AProgramThatFailsBeforeItUsesCuda) {
  const Folder folder;
  const Outcome outcome = record(folder, {"exit:3"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("exited with status 3; it had not used CUDA"));
}

TEST(Record, ARecordingWhoseRecorderWasKilledIsFinishedLater) {
  const Folder folder;
  Program program(command(folder, {"cuda", "launch:6", "say:running", "sleep:700", "say:flushed", "pause"}),
                  {libraries}, folder.at("out"));
  ASSERT_TRUE(eventually([&] { return text_of(folder.at("out")) == "running\nflushed\n"; }));
  kill(program.pid(), SIGKILL);
  program.wait();
  const Outcome early = run({"record", "-o", folder.at("walk.json.gz")}, {libraries});
  EXPECT_EQ(early.status, 2);
  EXPECT_THAT(early.error, ::testing::HasSubstr("its process is still running"));
  // The recorded program is still running; its process ID is in the file.
  const auto pid = static_cast<pid_t>(instrumentation::read_recording(folder.at("walk.json.gz.partial")).account.pid);
  ASSERT_GT(pid, 1);
  ASSERT_EQ(kill(pid, SIGTERM), 0);
  ASSERT_TRUE(eventually([&] { return !instrumentation::is_being_written(folder.at("walk.json.gz.partial")); }));
  const Outcome again = record(folder, {"cuda", "launch:1"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.error, ::testing::HasSubstr("left over from a recording that was killed"));
  const Outcome finished = run({"record", "-o", folder.at("walk.json.gz")}, {libraries});
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_EQ(kernels(read(folder)), 6u);
}

}  // namespace
}  // namespace warpwalk::testing
