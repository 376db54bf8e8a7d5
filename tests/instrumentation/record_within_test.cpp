// A program that begins and ends its own recordings (see fake_self_recording.h), as the Python package does.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/platform/child_program.h"
#include "core/trace/read/read_trace.h"
#include "instrumentation/recorded/read_recording.h"
#include "instrumentation/recording_names.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;

const std::string idle_cupti = "free, 0 kinds, 0 callbacks, thread IDs 0, latencies 0, buffer none";

/// Runs the program, whose NVTX finds the library. Returns what it prints.
std::string within(const std::vector<std::string>& acts, const std::vector<std::string>& environment = {}) {
  std::vector<std::string> words = {"/usr/bin/env", "LD_LIBRARY_PATH=" WARPWALK_FAKE_DRIVER ":" WARPWALK_FAKE_CUPTI,
                                    "WARPWALK_LIBRARY=" WARPWALK_LIBRARY, "NVTX_INJECTION64_PATH=" WARPWALK_LIBRARY};
  words.insert(words.end(), environment.begin(), environment.end());
  words.emplace_back(WARPWALK_FAKE_PROGRAM);
  words.insert(words.end(), acts.begin(), acts.end());
  const auto run = platform::run_child(words);
  if (!run) return "not started";
  EXPECT_TRUE(run->good()) << "signal " << run->signal << ", status " << run->exit_status << ": " << run->output;
  return run->output;
}

std::string partial(const Folder& folder, const std::string& name) { return folder.at(name + ".partial"); }

instrumentation::RecordingResult recording(const Folder& folder, const std::string& name) {
  instrumentation::RecordingResult result = instrumentation::read_recording(partial(folder, name));
  EXPECT_FALSE(result.error) << *result.error;
  EXPECT_TRUE(result.account.closed);
  EXPECT_FALSE(instrumentation::is_being_written(partial(folder, name)));
  return result;
}

/// The names of ranges with their domains, sorted.
std::vector<std::string> ranges(const trace::Trace& trace) {
  std::vector<std::string> found;
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.slices.kind[s] == trace::SliceKind::op || trace.slices.kind[s] == trace::SliceKind::annotation)
      found.push_back(std::string(trace.name(s)) + std::string(trace.text(trace.slices.extra[s])));
  std::ranges::sort(found);
  return found;
}

TEST(RecordWithin, EachRecordingHasItsOwnRows) {
  const Folder folder;
  const std::string out = within({"nvtx",         "cuda",     "launch:1",
                                  "push:before",  "pop",      "begin:" + folder.at("one.json"),
                                  "push:first",   "launch:2", "pop",
                                  "end",          "cupti",    "launch:4",
                                  "push:between", "pop",      "begin:" + folder.at("two.json"),
                                  "push:second",  "launch:3", "pop",
                                  "end",          "end",      "cupti",
                                  "launch:5"},
                                 {"WARPWALK_RECORD_CODE=1"});
  EXPECT_EQ(out, "begin 0 \nend 0\ncupti: 1 subscriptions, " + idle_cupti +
                     "\nbegin 0 \nend 0\nend 1\ncupti: 2 subscriptions, " + idle_cupti + "\n");
  const auto one = recording(folder, "one.json"), two = recording(folder, "two.json");
  EXPECT_EQ(one.trace.kernels.size(), 2u);
  EXPECT_EQ(two.trace.kernels.size(), 3u);
  EXPECT_EQ(ranges(one.trace), std::vector<std::string>{"first"});
  EXPECT_EQ(ranges(two.trace), std::vector<std::string>{"second"});
  for (const trace::KernelDetail& kernel : two.trace.kernels) EXPECT_NE(kernel.launch, trace::no_slice);
  EXPECT_EQ(one.account.pid, two.account.pid);
}

TEST(RecordWithin, NamesOfNvtxThatWereMadeBefore) {
  const Folder folder;
  within({"nvtx", "name:the main thread", "registered", "begin:" + folder.at("one.json"), "registered", "launch:1",
          "end", "begin:" + folder.at("two.json"), "registered", "launch:1", "end"});
  for (const char* const name : {"one.json", "two.json"}) {
    const trace::Trace trace = recording(folder, name).trace;
    EXPECT_EQ(ranges(trace), std::vector<std::string>{"first registered\"domain\": \"first made\""});
    EXPECT_TRUE(std::ranges::any_of(trace.tracks, [&](const trace::Track& track) {
      return trace.text(track.name).find("the main thread") != std::string_view::npos;
    })) << name;
  }
}

TEST(RecordWithin, RangesThatAreOpenWhenItBeginsOrEnds) {
  const Folder folder;
  within({"nvtx", "push:outer", "begin:" + folder.at("one.json"), "push:inner", "pop", "pop", "push:open", "launch:1",
          "end", "pop", "begin:" + folder.at("two.json"), "push:next", "launch:1", "pop", "end"},
         {"WARPWALK_RECORD_INSIDE=aten::"});
  const auto one = recording(folder, "one.json");
  EXPECT_EQ(ranges(one.trace), (std::vector<std::string>{"inner", "open\"warpwalk unfinished\": true"}));
  EXPECT_EQ(one.account.unfinished, 1u);
  EXPECT_EQ(ranges(recording(folder, "two.json").trace), std::vector<std::string>{"next"});
}

// The fake driver has no function that reads memory, so a launch that is chosen is reported as not recorded.
TEST(RecordWithin, LaunchesAreChosenByTheRangesOfTheirRecording) {
  const Folder folder;
  within({"nvtx", "begin:" + folder.at("one.json"), "push:aten::open", "launch:1", "end",
          "begin:" + folder.at("two.json"), "launch:1", "pop", "push:aten::next", "launch:1", "pop", "end",
          "begin:" + folder.at("three.json"), "launch:1", "end"},
         {"WARPWALK_RECORD_INSIDE=aten::"});
  const auto refused = [&](const char* name) {
    return std::ranges::count_if(recording(folder, name).account.warnings, [](const std::string& line) {
      return line.find("a launch of scale(float*, float, int) is not recorded inside") != std::string::npos;
    });
  };
  EXPECT_EQ(refused("one.json"), 1);
  EXPECT_EQ(refused("two.json"), 1) << "the second launch, for the pattern counts anew";
  EXPECT_EQ(refused("three.json"), 0) << "the first range is not open any more";
}

TEST(RecordWithin, NothingIsLeftOfOneThatDidNotBegin) {
  const Folder folder;
  const std::string walk = "begin:" + folder.at("walk.json");
  const std::string out = within({"take", walk, "give", "cupti", walk, walk, "launch:1", "end", "cupti", walk,
                                  "begin:relative.json", "begin:" + folder.at("no folder/walk.json"), "cupti"});
  const std::vector<std::string> expected = {
      "take 0\n",
      "begin 1 libcupti.so.13: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (error 39): another profiler uses CUPTI.",
      "cupti: 1 subscriptions, " + idle_cupti,
      "\nbegin 0 \n",
      "begin 1 a recording of this process is under way; end it first\n",
      "end 0\n",
      "cupti: 2 subscriptions, " + idle_cupti,
      "begin 1 " + partial(folder, "walk.json") + ": left over from a recording that was not finished",
      "begin 1 the recording needs the absolute path of its walk\n",
      "begin 1 " + partial(folder, "no folder/walk.json") + ": cannot be created: No such file or directory\n",
      "cupti: 2 subscriptions, " + idle_cupti};
  std::size_t at = 0;
  for (const std::string& words : expected) {
    const std::size_t found = out.find(words, at);
    ASSERT_NE(found, std::string::npos) << words << "\n is not in \n" << out;
    at = found;
  }
  EXPECT_EQ(recording(folder, "walk.json").trace.kernels.size(), 1u);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"walk.json.partial"});
}

TEST(RecordWithin, KernelsThatCuptiRefuses) {
  const Folder folder;
  const std::string out = within({"begin:" + folder.at("walk.json"), "cupti"}, {"WARPWALK_FAKE_CUPTI=no privileges"});
  EXPECT_THAT(out, HasSubstr("begin 1 CUPTI_ERROR_OTHER (error 35)\n"));
  EXPECT_THAT(out, HasSubstr("cupti: 1 subscriptions, " + idle_cupti));
  EXPECT_THAT(within({"begin:" + folder.at("walk.json"), "cupti"}, {"WARPWALK_FAKE_CUPTI=no driver"}),
              HasSubstr("begin 1 libcupti.so.13: CUPTI_ERROR_OTHER (error 999)"));
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

TEST(RecordWithin, ChildrenAreNotRecorded) {
  const Folder folder;
  const std::string begin = "begin:" + folder.at("walk.json");
  std::vector<std::string> acts = {"nvtx",     begin, "launch:1", "fork",     "push:child",
                                   "launch:7", "pop", "wait",     "threads:2"};
  std::string expected = "begin 0 \nchild 0\n";
  // While other threads of the parent are in the recorder, whose locks a child must not wait for.
  for (int n = 0; n < 20; ++n) {
    acts.insert(acts.end(), {"fork", "push:child", "registered", "pop", "end", begin, "wait"});
    expected +=
        "end 1\nbegin 1 this process was forked from one whose GPU was recorded; CUDA cannot be used in it\n"
        "child 0\n";
  }
  acts.insert(acts.end(), {"stop", "end"});
  EXPECT_EQ(within(acts, {"ASAN_OPTIONS=detect_leaks=0"}), expected + "end 0\n");
  const auto result = recording(folder, "walk.json");
  for (const std::string& range : ranges(result.trace)) EXPECT_NE(range, "child");
  EXPECT_EQ(result.account.damaged_bytes, 0u);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"walk.json.partial"});
}

TEST(RecordWithin, CudaForksWhileItBegins) {
  const Folder folder;
  const std::string out = within({"begin:" + folder.at("walk.json"), "launch:2", "end"}, {"WARPWALK_FAKE_CUPTI=fork"});
  EXPECT_EQ(out, "begin 0 \nend 0\n");
  EXPECT_EQ(recording(folder, "walk.json").trace.kernels.size(), 2u);
}

TEST(RecordWithin, ChildrenOfAProgramThatHasNotBegunRecordThemselves) {
  const Folder folder;
  const std::string out = within({"nvtx", "push:parent", "pop", "fork", "begin:" + folder.at("walk.json"), "push:child",
                                  "pop", "launch:2", "end", "wait"},
                                 {"ASAN_OPTIONS=detect_leaks=0"});
  EXPECT_EQ(out, "begin 0 \nend 0\nchild 0\n");
  EXPECT_EQ(ranges(recording(folder, "walk.json").trace), std::vector<std::string>{"child"});
}

TEST(RecordWithin, TheFileIsFreeThoughAChildLives) {
  const Folder folder;
  const std::string walk = folder.at("walk.json.gz");
  const std::string finish = "run:" WARPWALK_PROGRAM " record -o " + walk + " --no-source --inside-no-data --profile " +
                             folder.at("none.json") + " 2>&1";
  const std::string out = within({"nvtx", "begin:" + walk, "push:aten::mm", "launch:2", "pop", finish, "end", finish,
                                  "begin:" + walk, "launch:3", "end", finish, "cupti"});
  EXPECT_THAT(out, HasSubstr("its process is still running"));
  EXPECT_THAT(out, HasSubstr("--profile: " + folder.at("none.json")));
  EXPECT_THAT(out, HasSubstr("1 op, 2 calls, 2 kernels"));
  EXPECT_THAT(out, HasSubstr("0 ops, 3 calls, 3 kernels"));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"walk.json.gz"});
  EXPECT_EQ(trace::read_trace(walk).trace.kernels.size(), 3u);
}

TEST(RecordWithin, AProgramThatExitsOrCrashesBeforeTheEnd) {
  const Folder folder;
  within({"begin:" + folder.at("exit.json"), "launch:2"});
  EXPECT_EQ(recording(folder, "exit.json").trace.kernels.size(), 2u);
  const auto crash =
      platform::run_child({"/usr/bin/env", "LD_LIBRARY_PATH=" WARPWALK_FAKE_CUPTI, "WARPWALK_LIBRARY=" WARPWALK_LIBRARY,
                           WARPWALK_FAKE_PROGRAM, "begin:" + folder.at("one.json"), "launch:1", "end",
                           "begin:" + folder.at("two.json"), "launch:4", "abort"});
  ASSERT_TRUE(crash.has_value());
  EXPECT_EQ(crash->signal, 6);
  const auto two = recording(folder, "two.json");
  EXPECT_EQ(two.trace.kernels.size(), 4u);
  EXPECT_EQ(two.account.signal, 6u);
}

TEST(RecordWithin, AKernelThatWasLoadedBeforeHasNoCode) {
  const Folder folder;
  const std::string load = "load:" WARPWALK_SOURCE_DIR "/tests/instrumentation/data/two.cubin";
  const std::vector<std::string> environment = {"WARPWALK_RECORD_CODE=1"};
  within({"driver", load, "launch:1", "begin:" + folder.at("late.json"), "launch:1", "end"}, environment);
  const auto late = recording(folder, "late.json");
  EXPECT_TRUE(late.code.late);
  EXPECT_TRUE(late.code.recorded);
  EXPECT_TRUE(late.code.cubins.empty());
  ASSERT_EQ(late.trace.devices.size(), 1u) << "CUPTI is asked for the devices that exist";

  within({"begin:" + folder.at("early.json"), load, "launch:1", "end", "begin:" + folder.at("next.json"), load,
          "launch:1", "end"},
         environment);
  EXPECT_FALSE(recording(folder, "early.json").code.late);
  EXPECT_EQ(recording(folder, "early.json").code.cubins.size(), 1u);
  EXPECT_EQ(recording(folder, "next.json").code.cubins.size(), 1u) << "each recording has its own";
}

TEST(RecordWithin, WhileThreadsWork) {
  for (int n = 0; n < 3; ++n) {
    const Folder folder;
    const std::string out = within({"nvtx", "threads:4", "often:" + folder.at("walk"), "stop", "cupti"},
                                   {"WARPWALK_RECORD_CODE=1", "WARPWALK_RECORD_INSIDE=aten::busy"});
    EXPECT_THAT(out, HasSubstr("failed 0\ncupti: 40 subscriptions, " + idle_cupti));
    EXPECT_EQ(folder.names().size(), 40u);
    std::size_t kernels = 0;
    for (int i = 0; i < 40; ++i) kernels += recording(folder, "walk." + std::to_string(i)).trace.kernels.size();
    EXPECT_GT(kernels, 40u);
  }
}

TEST(RecordWithin, ARecordingOfTheEnvironmentGoesFirst) {
  const Folder folder;
  const std::string out =
      within({"nvtx", "push:before CUDA", "pop", "begin:" + folder.at("two.json"), "cuda", "launch:1", "end",
              "begin:" + folder.at("two.json"), "launch:2", "end"},
             {"WARPWALK_RECORD=" + folder.at("one.json"), "CUDA_INJECTION64_PATH=" WARPWALK_LIBRARY});
  EXPECT_EQ(out, "begin 1 a recording of this process is under way; end it first\nend 0\nbegin 0 \nend 0\n");
  EXPECT_EQ(ranges(recording(folder, "one.json").trace), std::vector<std::string>{"before CUDA"});
  EXPECT_EQ(recording(folder, "two.json").trace.kernels.size(), 2u);
}

}  // namespace
}  // namespace warpwalk::testing
