// Runs `warpwalk record` on programs of several processes that use a fake CUDA (see fake_program.cpp).
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/metadata_entry.h"
#include "core/trace/read/read_trace.h"
#include "instrumentation/recording_file.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

const std::string fakes = "LD_LIBRARY_PATH=" WARPWALK_FAKE_DRIVER ":" WARPWALK_FAKE_CUPTI;

// A launcher that starts CUDA first and does nothing with it, and two ranks.
const Words two_ranks = {"cuda", "fork", "exec",         "env:RANK=0",     "env:WORLD_SIZE=2",
                         "nvtx", "cuda", "communicator", "allreduce:4096", "launch:2",
                         "wait", "fork", "exec",         "env:RANK=1",     "env:WORLD_SIZE=2",
                         "nvtx", "cuda", "communicator", "allreduce:4096", "wait"};

Outcome recorded(const Words& options, const Words& acts, Words environment = {}) {
  Words words = {"record"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", WARPWALK_FAKE_PROGRAM});
  words.insert(words.end(), acts.begin(), acts.end());
  environment.push_back(fakes);
  environment.push_back("ASAN_OPTIONS=detect_leaks=0");  // see record_test.cpp
  return run(words, environment);
}

trace::Trace walk_in(const Folder& folder, const std::string& name) {
  trace::ReadResult result = trace::read_trace(folder.at(name));
  EXPECT_FALSE(result.error) << *result.error;
  return std::move(result.trace);
}

// The arguments of the first slice of this name.
std::string arguments_of(const trace::Trace& trace, std::string_view name) {
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.name(s) == name) return std::string(trace.text(trace.slices.extra[s]));
  return "no slice";
}

TEST(RecordRanks, AFileOfEachRankInAFolder) {
  const Folder folder;
  const Outcome outcome = recorded({"-o", folder.at("walk.json.gz")}, two_ranks);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(folder.names(), Words{"walk"});
  EXPECT_EQ(folder.names("walk"), (Words{"rank0.json.gz", "rank1.json.gz"}));
  EXPECT_THAT(outcome.error, HasSubstr("rank0.json.gz: 0 ops, 3 calls, 3 kernels"));
  EXPECT_THAT(outcome.error, HasSubstr("1 process without GPU work is left out: "));
  EXPECT_THAT(outcome.error, HasSubstr("walk: 2 ranks; open them together with warpwalk " + folder.at("walk")));
  const trace::Trace one = walk_in(folder, "walk/rank1.json.gz");
  EXPECT_EQ(one.kernels.size(), 1u);
  for (const trace::Track& track : one.tracks) EXPECT_EQ(one.text(track.process_name), "rank 1 fake_program");
  const auto info = trace::metadata_entry(one, "distributedInfo");
  ASSERT_TRUE(info);
  EXPECT_EQ((*info)["rank"].GetInt(), 1);
  EXPECT_EQ((*info)["world_size"].GetInt(), 2);
  EXPECT_STREQ((*info)["backend"].GetString(), "nccl");
  EXPECT_STREQ((*info)["pg_config"][0]["pg_name"].GetString(), "0xfeed");
  EXPECT_EQ((*info)["pg_config"][0]["ranks"].Size(), 2u);
  const auto recording = trace::metadata_entry(one, "warpwalk_recording");
  ASSERT_TRUE(recording);
  EXPECT_THAT((*recording)["clock"].GetString(), HasSubstr("CLOCK_REALTIME"));
}

TEST(RecordRanks, ACollectiveHasItsGroupAndSize) {
  const Folder folder;
  EXPECT_EQ(recorded({"-o", folder.at("walk.json.gz")}, two_ranks).status, 0);
  const trace::Trace zero = walk_in(folder, "walk/rank0.json.gz");
  EXPECT_EQ(arguments_of(zero, "ncclAllReduce"),
            R"("domain": "NCCL", "Collective name": "allreduce", "In msg bytes": 4096, "Out msg bytes": 4096, )"
            R"("Reduction operation": "Sum", "Process Group Name": "0xfeed", "Group size": 2, "Rank": 0, )"
            R"("Process Group Ranks": "[0, 1]")");
  EXPECT_EQ(arguments_of(zero, "ncclCommInitRankConfig"), R"("domain": "NCCL")") << "its end is recorded";
}

TEST(RecordRanks, AFolderIsMadeForThem) {
  const Folder folder;
  const Outcome outcome = recorded({"-o", folder.at("run")}, two_ranks);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(folder.names("run"), (Words{"rank0.json.gz", "rank1.json.gz"}));
  const Outcome again = recorded({"-o", folder.at("run")}, two_ranks);
  EXPECT_EQ(again.status, 2);
  EXPECT_EQ(again.error_lines(), 1u) << again.error;
  EXPECT_THAT(again.error, HasSubstr("this folder already has traces, such as rank0.json.gz"));
  // A file's name does not name the folder, so a free one is found.
  const Outcome file = recorded({"-o", folder.at("run.json.gz")}, two_ranks);
  EXPECT_EQ(file.status, 0) << file.error;
  EXPECT_EQ(folder.names("run-2"), (Words{"rank0.json.gz", "rank1.json.gz"}));
}

TEST(RecordRanks, OneProcessInAFolder) {
  const Folder folder;
  EXPECT_EQ(recorded({"-o", folder.at("run")}, {"cuda", "launch:1"}).status, 0);
  EXPECT_EQ(folder.names("run"), Words{"walk.json.gz"});
  EXPECT_EQ(recorded({"-o", folder.at("none")}, {"say:x"}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder.at("none"))) << "no empty folder stays";
}

TEST(RecordRanks, WithoutAnOptionInTheCurrentFolder) {
  const Folder folder;
  for (int n = 0; n < 2; ++n) {
    Program program({"record", "--", WARPWALK_FAKE_PROGRAM, "cuda", "launch:1"}, {fakes}, {}, folder.path().string());
    EXPECT_EQ(program.wait().status, 0);
  }
  EXPECT_EQ(folder.names(), (Words{"walk-2.json.gz", "walk.json.gz"}));
}

TEST(RecordRanks, RanksThatTheEnvironmentDoesNotTell) {
  const Folder folder;
  // As with torch.multiprocessing.spawn: only NCCL knows the ranks, once CUDA has started.
  const auto rank = [](const std::string& number) {
    return Words{"fork",         "exec",        "nvtx", "cuda", "env:RANK=" + number, "env:WORLD_SIZE=2",
                 "communicator", "allreduce:8", "wait"};
  };
  Words acts = rank("1");
  const Words zero = rank("0");
  acts.insert(acts.end(), zero.begin(), zero.end());
  const Outcome outcome = recorded({"-o", folder.at("walk.json.gz")}, acts);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(folder.names(), Words{"walk"});
  EXPECT_EQ(folder.names("walk"), (Words{"rank0.json.gz", "rank1.json.gz"}));
  const trace::Trace walk = walk_in(folder, "walk/rank0.json.gz");
  EXPECT_EQ(walk.text(walk.tracks[0].process_name), "rank 0 fake_program");
  EXPECT_TRUE(trace::metadata_entry(walk, "distributedInfo"));
}

TEST(RecordRanks, AProcessWithoutWorkLeavesItsNameToAnother) {
  const Folder folder;
  const Outcome outcome =
      recorded({"-o", folder.at("walk.json.gz")}, {"cuda", "fork", "exec", "cuda", "launch:3", "wait"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(folder.names(), Words{"walk.json.gz"});
  EXPECT_EQ(walk_in(folder, "walk.json.gz").kernels.size(), 3u);
}

// Each rank has a warpwalk of its own: mpirun -n 2 warpwalk record -o run -- PROGRAM.
TEST(RecordRanks, StartedByTheLauncherItself) {
  const Folder folder;
  for (const std::string number : {"1", "0"}) {
    const Outcome outcome = recorded({"-o", folder.at("run")}, {"cuda", "launch:1"},
                                     {"OMPI_COMM_WORLD_RANK=" + number, "OMPI_COMM_WORLD_SIZE=2"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
  }
  EXPECT_EQ(folder.names("run"), (Words{"rank0.json.gz", "rank1.json.gz"}));
  const std::string before = text_of(folder.at("run/rank0.json.gz"));
  const Outcome again =
      recorded({"-o", folder.at("run")}, {"cuda", "launch:7"}, {"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2"});
  EXPECT_EQ(again.status, 2);
  EXPECT_EQ(again.error_lines(), 1u) << again.error;
  EXPECT_THAT(again.error, HasSubstr("rank0.json.gz: rank 0 of another run is recorded here"));
  EXPECT_EQ(text_of(folder.at("run/rank0.json.gz")), before);
}

TEST(RecordRanks, AProcessThatStillRunsKeepsItsRecording) {
  using namespace instrumentation;
  const Folder folder;
  const std::string output = folder.at("walk.json.gz");
  RecordingFile worked, running;
  ASSERT_TRUE(worked.open(output, 6));
  worked.add(Begin{6, 130001, 1'700'000'000'000'000'000, "python3 train.py"});
  worked.add(KernelRow{});
  worked.close(End{1'700'000'000'000'000'100, 0});
  ASSERT_TRUE(running.open(output, 7));  // without GPU work so far
  const Outcome early = run({"record", "-o", output});
  EXPECT_EQ(early.status, 2);
  EXPECT_EQ(early.error_lines(), 1u) << early.error;
  EXPECT_THAT(early.error, HasSubstr("walk.7.json.gz.partial: its process is still running"));
  EXPECT_EQ(folder.names(), (Words{"walk.7.json.gz.partial", "walk.json.gz"}));
}

TEST(RecordRanks, OtherRanksAreAskedFor) {
  const Folder folder;
  const Outcome outcome = recorded({"-o", folder.at("run")},
                                   {"fork", "exec", "env:RANK=3", "env:WORLD_SIZE=4", "cuda", "launch:1", "wait"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("run: rank 3 of 4; put the walks of the others into this folder, too"));
  EXPECT_THAT(outcome.error, Not(HasSubstr("open them together"))) << "there is one so far";
}

TEST(RecordRanks, OtherProfilersAreNamedBeforeTheProgramRuns) {
  const Folder folder;
  const auto refused = [&](const Words& environment, const std::string& why) {
    const Outcome outcome =
        recorded({"-o", folder.at("walk.json.gz")}, {"say:it runs", "cuda", "launch:1"}, environment);
    EXPECT_EQ(outcome.status, 2) << why;
    EXPECT_EQ(outcome.out, "") << why;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr(why));
  };
  refused({"NSYS_PROFILING_SESSION_ID=4711"}, "Nsight Systems is profiling this process");
  refused({"NV_NSIGHT_INJECTION_TRANSPORT_TYPE=1"}, "Nsight Compute is profiling this process");
  const Outcome nsys = run({"record", "-o", folder.at("walk.json.gz"), "--", "nsys", "profile", "true"}, {fakes});
  EXPECT_EQ(nsys.status, 2);
  EXPECT_THAT(nsys.error, HasSubstr("nsys needs CUPTI for itself"));
  EXPECT_EQ(folder.names(), Words{});
}

TEST(RecordRanks, AScriptWithAProfilerOfItsOwnIsNamed) {
  const Folder folder, out;
  const std::string script = folder.file("train.py",
                                         "import torch\n# torch.profiler is not used here\n"
                                         "from torch.profiler import profile\n");
  const Outcome outcome = recorded({"-o", out.at("walk.json.gz")}, {"cuda", "launch:1", "exit:0", script});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("train.py, line 3, uses torch.profiler; CUPTI serves one tool at a time"));
  const std::string plain = folder.file("plain.py", "import torch\n# no torch.profiler\n");
  const Outcome quiet = recorded({"-o", out.at("walk.json.gz")}, {"cuda", "launch:1", "exit:0", plain});
  EXPECT_THAT(quiet.error, Not(HasSubstr("profiler")));
}

}  // namespace
}  // namespace warpwalk::testing
