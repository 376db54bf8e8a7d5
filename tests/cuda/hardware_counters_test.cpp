// Parses output of Nsight Compute from an H200 with CUDA 13.0.
#include "instrumentation/cuda/hardware_counters.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

namespace warpwalk::cuda {
namespace {

constexpr std::string_view printed = R"csv(==PROF== Connected to process 482 (/home/user/warpwalk)
==PROF== Profiling "matmul_tiled" - 0: 0%....50%....100% - 1 pass
relu(a @ b): 256x256 f32
  5.0357995  1.2117455  6.815603  0  0  4.903379  ...
==PROF== Disconnected from process 482
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","482","warpwalk","127.0.0.1","matmul_tiled","1","13","(16, 16, 1)","(16, 16, 1)","0","9.0","Command line profiler metrics","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","sector","262,144"
"0","482","warpwalk","127.0.0.1","matmul_tiled","1","13","(16, 16, 1)","(16, 16, 1)","0","9.0","Command line profiler metrics","smsp__inst_executed.sum","inst","2,056,192"
"0","482","warpwalk","127.0.0.1","matmul_tiled","1","13","(16, 16, 1)","(16, 16, 1)","0","9.0","Command line profiler metrics","smsp__cycles_elapsed.max","cycle","15,101"
"1","482","warpwalk","127.0.0.1","relu","1","13","(256, 1, 1)","(256, 1, 1)","0","9.0","Command line profiler metrics","dram__bytes_read.sum","Kbyte","262.14"
"1","482","warpwalk","127.0.0.1","relu","1","13","(256, 1, 1)","(256, 1, 1)","0","9.0","Command line profiler metrics","l1tex__t_sector_hit_rate.pct","%","n/a"
)csv";

std::vector<ProfiledKernel> counted() { return *read_ncu_csv(printed); }

double value_of(const std::vector<trace::NamedCounter>& counters, std::string_view name) {
  for (const trace::NamedCounter& counter : counters)
    if (counter.name == name) return counter.value;
  return -1;
}

TEST(HardwareCounters, AreReadByTheReportsNames) {
  const auto kernels = counted();
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "matmul_tiled");
  EXPECT_EQ(value_of(kernels[0].counters, "global_load_sectors"), 262144);
  EXPECT_EQ(value_of(kernels[0].counters, "warp_instructions"), 2056192);
  EXPECT_EQ(kernels[1].name, "relu");
  EXPECT_EQ(value_of(kernels[1].counters, "dram_read_bytes"), 262140);
  EXPECT_EQ(kernels[1].counters.size(), 1u) << "what was not counted is not there";
}

TEST(HardwareCounters, GoToTheLastLaunchesOfTheWalk) {
  trace::Records records;
  records.kernels.resize(1);
  records.kernels[0].entry = "relu";
  EXPECT_TRUE(add_counters(counted(), records));
  EXPECT_EQ(value_of(records.kernels[0].counters, "dram_read_bytes"), 262140);
  EXPECT_EQ(records.kernels[0].cycles, -1);
  records.kernels.insert(records.kernels.begin(), trace::KernelRecord());
  records.kernels[0].entry = "matmul_tiled";
  EXPECT_TRUE(add_counters(counted(), records));
  EXPECT_EQ(records.kernels[0].cycles, 15101);
}

TEST(HardwareCounters, OfOtherLaunchesAreRefused) {
  trace::Records records;
  records.kernels.resize(1);
  records.kernels[0].entry = "vecadd";
  EXPECT_EQ(add_counters(counted(), records).error(),
            "launch 1 is vecadd in the walk but relu in the output of Nsight Compute");
  records.kernels.resize(3);
  EXPECT_EQ(add_counters(counted(), records).error(), "Nsight Compute measured 2 launches, but the walk has 3");
}

TEST(HardwareCounters, SayWhatNsightComputeSays) {
  const auto result = read_ncu_csv("==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - no permission\n");
  EXPECT_EQ(result.error(), "Nsight Compute measured no kernels: ERR_NVGPUCTRPERM - no permission");
  EXPECT_EQ(read_ncu_csv("").error(), "Nsight Compute measured no kernels");
}

/// A fake ncu at the front of PATH for the lifetime of the object.
class FakeNcu {
 public:
  explicit FakeNcu(const std::string& script) : path_(std::getenv("PATH")) {
    std::string name = (std::filesystem::temp_directory_path() / "warpwalk-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::ofstream(folder_ / "ncu") << "#!/bin/sh\n" << script;
    std::filesystem::permissions(folder_ / "ncu", std::filesystem::perms::owner_all);
    setenv("PATH", (name + ":" + path_).c_str(), 1);
  }
  ~FakeNcu() {
    setenv("PATH", path_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  FakeNcu(const FakeNcu&) = delete;
  FakeNcu& operator=(const FakeNcu&) = delete;
  std::filesystem::path at(std::string_view name) const { return folder_ / name; }

 private:
  std::string path_;
  std::filesystem::path folder_;
};

TEST(HardwareCounters, AreThoseOfTheCommand) {
  // The fake prints its arguments in the kernel name column.
  const FakeNcu ncu(R"(while [ "$1" != --metrics ]; do shift; done
metrics=$2; shift 2
echo '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
echo "\"0\",\"$*\",\"${metrics%%,*}\",\"inst\",\"7\""
)");
  const auto result = profile_kernels({"/bin/echo", "one", "two"});
  ASSERT_TRUE(result) << result.error();
  const auto& kernels = *result;
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "/bin/echo one two");
  EXPECT_EQ(value_of(kernels[0].counters, "warp_instructions"), 7);
}

TEST(HardwareCounters, StopWhenSomebodyAsks) {
  const FakeNcu ncu("sleep 60\n");
  std::atomic<bool> cancel = false;
  const std::jthread asks([&cancel] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    cancel = true;
  });
  const auto began = std::chrono::steady_clock::now();
  const auto result = profile_kernels({"/bin/true"}, &cancel);
  EXPECT_LT(std::chrono::steady_clock::now(), began + std::chrono::seconds(20));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), "stopped before the end");
}

}  // namespace
}  // namespace warpwalk::cuda
