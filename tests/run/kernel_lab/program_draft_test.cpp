// Launches of a recorded program as drafts of the Kernel lab: real inputs, structs with addresses, variables; what it
// cannot express; GPU and caches of a run.
#include "core/run/kernel_lab/program_draft.h"

#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/platform/temporary_folder.h"
#include "core/run/kernel_lab/run_draft.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/record/record_rows.h"
#include "core/trace/trace.h"

namespace warpwalk::run {
namespace {

using ::testing::HasSubstr;

// y[i] += t * x[i] for 4 elements: x is in the struct s at byte 8, t is a variable that the program has set.
constexpr std::string_view scale_ptx = R"(.version 7.5
.target sm_75
.address_size 64
.global .align 4 .f32 t = 0f3F800000;
.visible .entry scale(.param .align 8 .b8 s[16], .param .u64 y) {
  .reg .b32 %r<3>; .reg .b64 %d<9>; .reg .f32 %f<9>;
  ld.param.u64 %d1, [s+8];
  ld.param.u64 %d2, [y];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d3, %r1, 4;
  add.u64 %d4, %d1, %d3;
  add.u64 %d5, %d2, %d3;
  ld.global.f32 %f1, [%d4];
  ld.global.f32 %f2, [t];
  ld.global.f32 %f3, [%d5];
  fma.rn.f32 %f4, %f1, %f2, %f3;
  st.global.f32 [%d5], %f4;
  ret;
}
)";
constexpr std::string_view scale_source =
    "struct S { int n; float* x; };\n__global__ void scale(S s, float* y) {}\nint main() { return 0; }\n";

constexpr std::uint64_t x_address = 0x7f0000001000, y_address = 0x7f0000002000;

template <class T>
std::vector<std::uint8_t> bytes_of_all(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

trace::MemoryRange accessed_range(std::uint64_t address, const std::vector<float>& values) {
  trace::MemoryRange range;
  range.address = address;
  range.before = bytes_of_all(values);
  range.bytes = range.before.size();
  return range;
}

trace::Trace recorded_scale() {
  trace::Trace trace;
  trace.tracks.emplace_back().gpu = true;
  trace::KernelDetail kernel;
  kernel.record = 0;
  kernel.grid = {1, 1, 1};
  kernel.block = {4, 1, 1};
  trace.kernels.push_back(kernel);
  trace.kernel_order.push_back(add_slice(trace, trace::SliceKind::kernel, "scale(S, float*)", 0, 0, 100));
  trace.records.modules.emplace_back().ptx = scale_ptx;
  trace::KernelRecord& record = trace.records.kernels.emplace_back();
  record.module = 0;
  record.entry = "scale";
  record.code = "ptx";
  record.grid = {1, 1, 1};
  record.block = {4, 1, 1};
  trace::RecordedState& state = record.state.emplace();
  state.parameters = bytes_of_all(std::vector<std::uint64_t>{4, x_address, y_address});
  state.memory = {accessed_range(x_address, {1, 2, 3, 4, 5}), accessed_range(y_address, {10, 20, 30, 40})};
  state.variables = {{"t", bytes_of_all(std::vector<float>{2})}};
  return trace;
}

DraftOptions scale_options() {
  static const std::vector<gpu::Device> gpus = [] {
    std::vector<gpu::Device> all;
    for (const char* const id : {"h200", "t4"})
      all.push_back(
          *gpu::load_device(std::filesystem::path(WARPWALK_SOURCE_DIR "/assets/devices") / fmt::format("{}.json", id)));
    return all;
  }();
  DraftOptions how;
  how.device = gpus.front();
  how.gpus = gpus;
  how.ask_ptxas = false;
  how.compile_cuda = [](const std::string&, const std::string&, std::string_view, const std::atomic<bool>*) {
    ADD_FAILURE() << "nothing is compiled here";
    return platform::CudaFailure{};
  };
  return how;
}

KernelDraft scale_draft(const trace::Trace& trace = recorded_scale()) {
  auto draft = draft_of_launch(trace, "scale", std::string(scale_source), 3);
  EXPECT_TRUE(draft) << draft.error();
  return draft ? *std::move(draft) : KernelDraft();
}

std::string why_refused(const trace::Trace& trace) {
  const auto draft = draft_of_launch(trace, "scale", std::string(scale_source), 1);
  return draft ? "none" : draft.error();
}

std::vector<float> floats_after(const DraftRun& run, std::string_view buffer) {
  std::vector<float> values;
  for (std::size_t i = 0; i < run.loaded.file.buffers.size(); ++i) {
    if (run.loaded.file.buffers[i].name != buffer) continue;
    const auto& bytes = run.loaded.launch.buffers[i].bytes;
    values.resize(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  return values;
}

TEST(ProgramDraft, ALaunchHasItsRealInputs) {
  const KernelDraft draft = scale_draft();
  EXPECT_EQ(draft.launch, R"(# Launch 3 of scale.cu, with the arguments and the memory that the program gave it.
kernel scale
grid   1
block  4
caches warm

s: bytes 04000000000000000000000000000000
s.8: f32[5] recorded
y: f32[4] recorded
variable t: f32[1] recorded
)");
  const auto ran = run_draft(draft, scale_options());
  ASSERT_TRUE(std::holds_alternative<std::shared_ptr<const DraftRun>>(ran))
      << std::get<DraftFailure>(ran).messages.front().with_place();
  const DraftRun& run = *std::get<0>(ran);
  EXPECT_EQ(floats_after(run, "y"), (std::vector<float>{12, 24, 36, 48}));
  EXPECT_TRUE(run.findings.empty());
  EXPECT_EQ(run.caches(), gpu::CacheStart::warm);
  EXPECT_EQ(run.result.cycles.timing->caches, gpu::CacheStart::warm);
}

TEST(ProgramDraft, IsSavedAsALaunchFileWithItsInputs) {
  const platform::TemporaryFolder folder;
  ASSERT_TRUE(save_draft(scale_draft(), folder.path()));
  for (const char* const name : {"scale.json", "scale.cu", "scale.ptx", "scale.s.8.bin", "scale.y.bin", "scale.t.bin"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / name)) << name;
  const auto again = open_draft(folder.path() / "scale.json");
  ASSERT_TRUE(again) << again.error();
  EXPECT_THAT(again->launch, HasSubstr("caches warm\n"));
  EXPECT_THAT(again->launch, HasSubstr("s.8: f32[5] file " + (folder.path() / "scale.s.8.bin").string()));
  EXPECT_THAT(again->launch, HasSubstr("variable t: f32[1] file "));
  EXPECT_EQ(again->file_name(), "scale.cu");
  EXPECT_TRUE(again->uses_precompiled());
  const auto ran = run_draft(*again, scale_options());
  ASSERT_TRUE(std::holds_alternative<std::shared_ptr<const DraftRun>>(ran));
  EXPECT_EQ(floats_after(*std::get<0>(ran), "y"), (std::vector<float>{12, 24, 36, 48}));
  KernelDraft changed = scale_draft();
  changed.source += " ";
  const auto refused = save_draft(changed, folder.path());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("run it first"));
}

TEST(ProgramDraft, WhatTheLabCannotExpressIsSaid) {
  trace::Trace trace = recorded_scale();
  trace.records.kernels[0].state->memory[0].before = bytes_of_all(std::vector<std::uint64_t>{0, y_address});
  trace.records.kernels[0].state->memory[0].bytes = 16;
  EXPECT_THAT(why_refused(trace), HasSubstr("addresses in other memory"));
  trace = recorded_scale();
  trace.records.kernels[0].state->memory.push_back(accessed_range(0x7f0000009000, {1}));  // nothing points to it
  EXPECT_THAT(why_refused(trace), HasSubstr("addresses in other memory"));
  trace = recorded_scale();
  trace.records.kernels[0].state.reset();
  EXPECT_EQ(why_refused(trace), "its memory could not be recorded");
}

TEST(ProgramDraft, ContentsThatAreNotRecordedHaveTheirLine) {
  KernelDraft draft = scale_draft();
  draft.launch += "z: f32[4] recorded\n";
  const auto ran = run_draft(draft, scale_options());
  ASSERT_TRUE(std::holds_alternative<DraftFailure>(ran));
  EXPECT_THAT(std::get<DraftFailure>(ran).messages.front().with_place(),
              ::testing::AllOf(HasSubstr("line 11: "), HasSubstr("nothing is recorded of it")));
}

TEST(ProgramDraft, TheLaunchNamesTheGpu) {
  KernelDraft draft = scale_draft();
  draft.launch += "gpu t4\n";
  const auto ran = run_draft(draft, scale_options());
  ASSERT_TRUE(std::holds_alternative<std::shared_ptr<const DraftRun>>(ran));
  EXPECT_EQ(std::get<0>(ran)->device.id, "t4");
  EXPECT_EQ(std::get<0>(ran)->trace().devices.front().compute_major, 7);
  draft.launch.replace(draft.launch.find("gpu t4"), 6, "gpu t5");
  const auto unknown = run_draft(draft, scale_options());
  ASSERT_TRUE(std::holds_alternative<DraftFailure>(unknown));
  EXPECT_EQ(std::get<DraftFailure>(unknown).messages.front().with_place(),
            "line 11: gpu: t5 is not known; known are h200, t4");
}

TEST(ProgramDraft, CodeForOneGpuAloneIsCompiledForAnother) {
  KernelDraft draft = scale_draft();
  std::string& ptx = draft.precompiled.ptx;
  ptx.replace(ptx.find("sm_75"), 5, "sm_90a");
  EXPECT_TRUE(std::holds_alternative<std::shared_ptr<const DraftRun>>(run_draft(draft, scale_options())));
  DraftOptions how = scale_options();
  std::string asked;
  how.compile_cuda = [&](const std::string&, const std::string&, std::string_view capability,
                         const std::atomic<bool>*) {
    asked = capability;
    return platform::CompiledCuda{draft.source, std::string(scale_ptx), "", "clang", ""};
  };
  draft.launch += "gpu t4\n";
  const auto ran = run_draft(draft, how);
  ASSERT_TRUE(std::holds_alternative<std::shared_ptr<const DraftRun>>(ran));
  EXPECT_EQ(asked, "7.5");
  EXPECT_EQ(floats_after(*std::get<0>(ran), "y"), (std::vector<float>{12, 24, 36, 48}));
}

TEST(SourceFile, AProgramHasAMain) {
  EXPECT_TRUE(has_main("__global__ void k() {}\nint main(int argc, char** argv) {\n}"));
  EXPECT_TRUE(has_main("auto main() -> int { return 0; }"));
  EXPECT_FALSE(has_main("// int main() { }\n__global__ void k() {}"));
  EXPECT_FALSE(has_main("int main();\n"));
  EXPECT_FALSE(has_main("int domain(int x) { return x; }"));
  EXPECT_FALSE(has_main("__global__ void k(int main) { }"));
}

}  // namespace
}  // namespace warpwalk::run
