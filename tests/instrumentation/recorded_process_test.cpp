// Which recorded processes get a walk, and its name.
#include "instrumentation/recorded/recorded_process.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/recording_file.h"
#include "tests/app/program.h"

namespace warpwalk::instrumentation {
namespace {

RecordedProcess process(std::uint32_t pid, std::uint64_t gpu_work, std::optional<ProcessRank> rank = {}) {
  RecordedProcess out;
  out.pid = pid, out.gpu_work = gpu_work, out.rank = rank;
  out.partial.output = "/runs/walk." + std::to_string(pid) + ".json.gz";
  return out;
}

// "pid name" of each walk, then "pid -" of each process that is left out.
std::vector<std::string> planned(const std::vector<RecordedProcess>& processes) {
  std::vector<std::string> out;
  const WalkPlan plan = plan_walks(processes, "/runs/walk.json.gz", "/runs/walk");
  for (const PlannedWalk& walk : plan.walks)
    out.push_back(std::to_string(processes[walk.process].pid) + " " + walk.output.string());
  for (const std::size_t idle : plan.left_out) out.push_back(std::to_string(processes[idle].pid) + " -");
  return out;
}

using Words = std::vector<std::string>;

TEST(PlanWalks, RanksGetAFolderAndTheirLauncherNothing) {
  EXPECT_EQ(planned({process(10, 0), process(12, 50, ProcessRank{1, 2}), process(11, 60, ProcessRank{0, 2})}),
            (Words{"11 /runs/walk/rank0.json.gz", "12 /runs/walk/rank1.json.gz", "10 -"}));
  const WalkPlan plan = plan_walks({process(11, 60, ProcessRank{2, 4})}, "/runs/walk.json", "/runs/walk-2");
  ASSERT_EQ(plan.walks.size(), 1u);
  EXPECT_EQ(plan.walks[0].output, "/runs/walk-2/rank2.json");
  EXPECT_EQ(plan.ranks, std::vector<std::uint32_t>{2});
  EXPECT_EQ(plan.world, 4u);
}

TEST(PlanWalks, HelpersOfARankStayApart) {
  // They inherit the environment of their rank.
  EXPECT_EQ(planned({process(20, 5, ProcessRank{0, 2}), process(21, 900, ProcessRank{0, 2}),
                     process(22, 0, ProcessRank{0, 2}), process(23, 900, ProcessRank{1, 2}), process(24, 3)}),
            (Words{"21 /runs/walk/rank0.json.gz", "23 /runs/walk/rank1.json.gz",
                   "20 /runs/walk/other_processes/rank0.20.json.gz", "24 /runs/walk/other_processes/process.24.json.gz",
                   "22 -"}));
}

TEST(PlanWalks, ProcessesWithoutRanksAreNamedAsBefore) {
  EXPECT_EQ(planned({process(10, 4), process(11, 5)}), (Words{"10 /runs/walk.json.gz", "11 /runs/walk.11.json.gz"}));
  EXPECT_EQ(planned({process(10, 0), process(11, 5), process(12, 5)}),
            (Words{"11 /runs/walk.json.gz", "12 /runs/walk.12.json.gz", "10 -"}));
  EXPECT_EQ(planned({process(10, 0), process(11, 0)}), (Words{"10 /runs/walk.json.gz", "11 /runs/walk.11.json.gz"}))
      << "nothing has GPU work, so nothing is left out";
  RecordedProcess failed = process(10, 0);
  failed.failed = true;
  EXPECT_EQ(planned({failed, process(11, 5)}).size(), 2u) << "its error is reported";
}

TEST(PlanWalks, RanksOfACommunicatorIfNoEnvironmentTellsThem) {
  std::vector<RecordedProcess> processes = {process(10, 4), process(11, 4), process(12, 4)};
  processes[0].communicators = {{5, 2, 0}, {9, 3, 2}};
  processes[1].communicators = {{9, 3, 0}};
  processes[2].communicators = {{5, 2, 1}, {9, 3, 1}};
  EXPECT_EQ(planned(processes),
            (Words{"11 /runs/walk/rank0.json.gz", "12 /runs/walk/rank1.json.gz", "10 /runs/walk/rank2.json.gz"}));
  processes[1].communicators.clear();  // one rank of 9 is missing; 5 is complete
  EXPECT_EQ(planned(processes), (Words{"10 /runs/walk/rank0.json.gz", "12 /runs/walk/rank1.json.gz",
                                       "11 /runs/walk/other_processes/process.11.json.gz"}));
}

TEST(LookAtRecording, RankWorkAndCommunicators) {
  const testing::Folder folder;
  const std::string output = folder.at("walk.json.gz");
  RecordingFile file;
  ASSERT_TRUE(file.open(output, 7));
  file.add(Begin{4711, 130001, 1'700'000'000'000'000'000, "python3 train.py"});
  file.add(RankRow{1, 2});
  for (int n = 0; n < 3; ++n) file.add(KernelRow{});
  file.add(MemcpyRow{});
  const auto payload = [&](std::string_view key, std::uint64_t value) {
    file.add(PayloadRow{1, file.name("NCCL"), 0, file.name(key), PayloadRow::unsigned_number, value, {}});
  };
  payload(nccl_fields::communicator, 0xabc), payload(nccl_fields::ranks, 2), payload(nccl_fields::rank, 1);
  payload(nccl_fields::communicator, 0xabc), payload(nccl_fields::bytes, 800);
  // ncclCommSplit has the sizes of its parent.
  payload(nccl_fields::communicator, 0xdef), payload(nccl_fields::parent, 0xabc), payload(nccl_fields::ranks, 2),
      payload(nccl_fields::rank, 1);
  file.close(End{1'700'000'000'000'000'100, 0});
  const RecordedProcess seen = look_at_recording({partial_path(output), output});
  EXPECT_EQ(seen.pid, 4711u);
  EXPECT_EQ(seen.program, "python3 train.py");
  EXPECT_EQ(seen.rank, (ProcessRank{1, 2}));
  EXPECT_EQ(seen.gpu_work, 4u);
  EXPECT_FALSE(seen.failed);
  ASSERT_EQ(seen.communicators.size(), 1u);
  EXPECT_EQ(seen.communicators[0].id, 0xabcu);
  EXPECT_EQ(seen.communicators[0].rank, 1);
  EXPECT_TRUE(look_at_recording({folder.file("text", "this is no recording"), output}).failed);
}

}  // namespace
}  // namespace warpwalk::instrumentation
