// Traces of AMD GPUs: their words, their wavefronts, and that nothing of NVIDIA's descriptions is taken for them.
#include "core/story/facts/words/gpu_words.h"

#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/analysis/device_match.h"
#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

// 7 launches of 256 blocks of 256 threads on an MI300X with wavefronts of 64.
trace::Trace rocm_trace() { return read_trace_file("tests/trace/data/wild/14_rocm_device_numbers.json").trace; }

TEST(GpuWords, AreThoseOfTheVendor) {
  trace::Trace rocm = rocm_trace();
  const Walk walk = default_walk(rocm);
  EXPECT_EQ(gpu_words(rocm, walk).vendor, "amd");
  EXPECT_EQ(gpu_words(rocm, walk).lanes, 64);
  rocm.devices.front().warp_size = trace::absent;
  EXPECT_FALSE(gpu_words(rocm, walk).lanes) << "AMD has wavefronts of 32 and of 64";
  rocm.devices.clear();
  EXPECT_EQ(gpu_words(rocm, walk).vendor, "amd") << "its launches are HIP's";
  const Trace& cuda = sample("relu_matmul");
  EXPECT_TRUE(gpu_words(cuda, default_walk(cuda)).nvidia());
  EXPECT_EQ(gpu_words(cuda, default_walk(cuda)).lanes, 32);
}

TEST(GpuWords, HipCountsPairsOfComputeUnitsWhereWavefrontsHave32Threads) {
  EXPECT_EQ(gpu_word_values(english(), {"amd", 64}).at("gpu.units"), "compute units");
  EXPECT_EQ(gpu_word_values(english(), {"amd", 64}).at("gpu.lanes"), "64");
  EXPECT_EQ(gpu_word_values(english(), {"amd", 32}).at("gpu.Unit"), "Workgroup processor");
  EXPECT_EQ(gpu_word_values(english(), {"amd", {}}).at("gpu.lanes"), "32 or 64");
}

TEST(GpuWords, ASimulatedOrChosenGpuIsNvidias) {
  const trace::Trace rocm = rocm_trace();
  const Walk walk = default_walk(rocm);
  SceneInput input{rocm, walk, english(), hardware(), {Moment::Kind::beat, 1, 1}};
  EXPECT_FALSE(shows_other_gpu(input, "launch", true)) << "nothing is simulated";
  input.history.state = HistoryView::State::building;
  EXPECT_TRUE(shows_other_gpu(input, "launch", true));
  EXPECT_FALSE(shows_other_gpu(input, "launch", false));
  input.controls.set("launch.gpu", 1);
  EXPECT_TRUE(shows_other_gpu(input, "launch", false));
  EXPECT_FALSE(shows_other_gpu(input, "sm", false));
}

TEST(AmdTrace, NoDescriptionOfAnNvidiaGpuIsAdapted) {
  trace::Trace rocm = rocm_trace();  // its file gives the capability 9.0, which is also the H200's
  const analysis::DeviceMatch match = analysis::device_of(rocm, default_walk(rocm), hardware().devices);
  EXPECT_EQ(match.how, analysis::DeviceMatch::How::unknown);
  EXPECT_EQ(match.recorded, "AMD Instinct MI300X");
  rocm.devices.front().name = rocm.strings.intern("Unnamed");
  EXPECT_EQ(analysis::device_of(rocm, default_walk(rocm), hardware().devices).how, analysis::DeviceMatch::How::unknown)
      << "wavefronts of 64";
}

TEST(NvidiaTrace, ADriversNameFindsTheDescription) {
  trace::Trace cuda = trace::read_trace(WARPWALK_SOURCE_DIR "/assets/walks/relu_matmul.json.gz").trace;
  cuda.devices.front().name = cuda.strings.intern("NVIDIA A100-SXM4-40GB");
  cuda.devices.front().sms = 108;
  const analysis::DeviceMatch match = analysis::device_of(cuda, default_walk(cuda), hardware().devices);
  ASSERT_EQ(match.how, analysis::DeviceMatch::How::described);
  EXPECT_EQ(match.device->id, "a100");
  EXPECT_EQ(match.device->name, "NVIDIA A100-SXM4-40GB") << "the trace's name is shown";
}

// What the scenes say of the trace, without the lines that name NVIDIA's GPUs on purpose.
std::string said_of_amd(const trace::Trace& trace) {
  const Walk walk = default_walk(trace);
  std::string all;
  for (const Scene& scene : scenes())
    for (std::size_t beat = 1; beat <= scene.beats(trace, walk).size(); ++beat) {
      std::istringstream lines(transcript(stage_at_beat(scene, trace, walk, static_cast<std::int64_t>(beat))));
      for (std::string line; std::getline(lines, line);)
        if (line.find("NVIDIA") == std::string::npos) all += line + "\n";
    }
  return all;
}

TEST(AmdTrace, EveryScenePutsItInAmdsWords) {
  const std::string said = said_of_amd(rocm_trace());
  const std::regex nvidia_word(R"(\b(SMs?|[Ww]arps?)\b)");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(said, found, nvidia_word)) << found.str() << " in\n" << said;
  for (const char* text : {"304 compute units", "Wavefronts per block: 4 wavefronts", "4 wavefronts per block",
                           "threads per block / 64, rounded up", "64 lanes execute", "calls HIP"})
    EXPECT_THAT(said, ::testing::HasSubstr(text));
  for (const char* text : {"(no narration", "(no value", "{gpu", "an compute"})
    EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr(text)));
}

TEST(AmdTrace, OccupancyIsNotGuessed) {
  const std::string said = said_of_amd(rocm_trace());
  for (const char* text : {"Theoretical occupancy", "Occupancy, theoretical", "Blocks that fit on one"})
    EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr(text)));
  EXPECT_THAT(said, ::testing::HasSubstr("is not known here"));
}

TEST(AmdTrace, AChosenNvidiaGpuIsSaidInItsWords) {
  const trace::Trace rocm = rocm_trace();
  const Walk walk = default_walk(rocm);
  const Scene& launch = *find_scene("launch");
  Controls controls;
  controls.set("launch.gpu", 3);  // the H200
  const std::int64_t beat = beat_named(launch, rocm, walk, "grid");
  const std::string said = transcript(stage_at_beat(launch, rocm, walk, beat, 1, controls));
  EXPECT_THAT(said, ::testing::HasSubstr("Blocks that fit on one SM"));
  EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("compute unit")));
}

}  // namespace
}  // namespace warpwalk::story::testing
