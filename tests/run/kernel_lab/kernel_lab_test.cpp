// Drafts of the Kernel lab: compile errors at their lines, the examples' findings, bounds, cancel, comparison with
// `simulate`, and files.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/gpu/device/device_file.h"
#include "core/platform/temporary_folder.h"
#include "core/run/kernel_lab/carried_lines.h"
#include "core/run/kernel_lab/compare_runs.h"
#include "core/run/kernel_lab/examples.h"
#include "core/run/kernel_lab/expected_results.h"
#include "core/run/kernel_lab/run_draft.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/launch/report.h"
#include "core/run/replay/history.h"
#include "core/run/replay/load_recorded.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::run {
namespace {

const std::filesystem::path assets = WARPWALK_SOURCE_DIR "/assets";

constexpr std::string_view launch = "kernel k\ngrid 2\nblock 64\ny: i32[128]\n";
constexpr std::string_view head = ".version 9.0\n.target sm_90\n.address_size 64\n";
constexpr std::string_view entry =
    ".visible .entry k(.param .u64 y)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<3>;\n";

DraftOptions options() {
  DraftOptions how;
  auto device = gpu::load_device(assets / "devices/h200.json");
  EXPECT_TRUE(device) << device.error();
  how.device = *std::move(device);
  how.ask_ptxas = false;
  how.compile_cuda = [](const std::string&, const std::string&, std::string_view, const std::atomic<bool>*) {
    ADD_FAILURE() << "nothing is compiled here";
    return platform::CudaFailure{};
  };
  return how;
}

KernelDraft ptx_draft(std::string_view body) {
  KernelDraft draft;
  draft.language = DraftLanguage::ptx;
  draft.source = fmt::format("{}{}{}ret;\n}}\n", head, entry, body);
  draft.launch = launch;
  return draft;
}

KernelDraft example(std::string_view name) {
  auto opened = open_example(assets, name);
  EXPECT_TRUE(opened) << opened.error();
  return *opened;
}

std::shared_ptr<const DraftRun> run(const KernelDraft& draft, const DraftOptions& how) {
  auto ran = run_draft(draft, how);
  if (const auto* const failure = std::get_if<DraftFailure>(&ran)) {
    ADD_FAILURE() << (failure->messages.empty() ? "cancelled" : failure->messages.front().with_place());
    return {};
  }
  return std::get<0>(ran);
}

std::vector<std::string> messages(const KernelDraft& draft, const DraftOptions& how) {
  const auto ran = run_draft(draft, how);
  std::vector<std::string> lines;
  if (const auto* const failure = std::get_if<DraftFailure>(&ran))
    for (const Diagnostic& message : failure->messages)
      lines.push_back((message.text == Diagnostic::Text::launch ? "launch: " : "source: ") + message.with_place());
  return lines;
}

std::uint32_t line_with(const std::string& text, std::string_view words) {
  const std::size_t at = text.find(words);
  EXPECT_NE(at, std::string::npos) << words;
  return 1 + static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST(KernelLab, PtxErrorsAreAtTheirLine) {
  const auto found = messages(ptx_draft("mov.u32 %r1, %tid.x;\nmovv.u32 %r2, %r1;\n"), options());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().substr(0, 24), "source: line 10, column ");
  EXPECT_THAT(found.front(), ::testing::HasSubstr("movv.u32"));
  const auto register_missing = messages(ptx_draft("mov.u32 %q1, 5;\n"), options());
  ASSERT_EQ(register_missing.size(), 1u);
  EXPECT_EQ(register_missing.front().substr(0, 15), "source: line 9,");
}

TEST(KernelLab, LaunchErrorsAreAtTheirLine) {
  KernelDraft draft = ptx_draft("");
  draft.launch = "kernel other\ngrid 2\nblock 64\ny: i32[128]\n";
  auto found = messages(draft, options());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().substr(0, 15), "launch: line 1:") << found.front();
  draft.launch = "kernel k\ngrid 2\nblock 2000\ny: i32[128]\n";
  found = messages(draft, options());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().substr(0, 15), "launch: line 3:") << found.front();
  draft.launch = "kernel k\ngrid 2\nblock 64\ny: i32 7\n";
  found = messages(draft, options());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front(), "launch: line 4: i32 (4 bytes) does not fit parameter y (.u64, 8 bytes)");
  draft.launch = "kernel k\ngrid 2\nblock 64\n";
  found = messages(draft, options());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found.front(), ::testing::HasSubstr("arguments: 0 given, but k takes 1"));
}

TEST(KernelLab, CompilerErrorsAreAtTheirLines) {
  DraftOptions how = options();
  std::string asked;
  how.compile_cuda = [&](const std::string& source, const std::string& name, std::string_view capability,
                         const std::atomic<bool>*) {
    asked = fmt::format("{} {} {}", source, name, capability);
    return platform::CudaFailure{"race.cu(2): error: first",
                                 "race.cu(2): error: first\nrace.cu(1): warning #1-D: w\nrace.cu(5): error: second\n"};
  };
  KernelDraft draft = example("race");
  draft.source = "changed";
  EXPECT_EQ(messages(draft, how),
            (std::vector<std::string>{"source: line 2: first", "source: line 1: w", "source: line 5: second"}));
  EXPECT_EQ(asked, "changed race.cu 9.0");
  // Without NVRTC there is one line that says so.
  how.compile_cuda = [](const std::string&, const std::string&, std::string_view, const std::atomic<bool>*) {
    return platform::CudaFailure{"race.cu: NVRTC (libnvrtc.so) is not installed here", ""};
  };
  EXPECT_EQ(messages(draft, how), (std::vector<std::string>{"source: NVRTC (libnvrtc.so) is not installed here"}));
}

TEST(KernelLab, EveryExampleRunsWithoutACompiler) {
  for (const LabExample& row : lab_examples()) {
    SCOPED_TRACE(row.name);
    const KernelDraft draft = example(row.name);
    EXPECT_EQ(draft.language, DraftLanguage::cuda);
    EXPECT_TRUE(draft.uses_precompiled());
    const auto compiled = compile_draft(draft, options());
    ASSERT_TRUE(std::holds_alternative<CompiledDraft>(compiled));
    EXPECT_EQ(std::get<CompiledDraft>(compiled).loaded.code, "sass sm_90 from cubin");
    EXPECT_NE(std::ranges::find(lab_examples(), row.beside, &LabExample::name), lab_examples().end());
    const auto ptx = as_ptx(draft);
    ASSERT_TRUE(ptx);
    EXPECT_EQ(ptx->file_name(), fmt::format("{}.ptx", row.name));
    EXPECT_TRUE(std::holds_alternative<CompiledDraft>(compile_draft(*ptx, options())));
  }
}

TEST(KernelLab, FindingsAreAtTheirLines) {
  const auto race = run(example("race"), options());
  ASSERT_TRUE(race);
  ASSERT_EQ(race->findings.size(), 1u);
  const std::string source = example("race").source;
  const std::uint32_t write = line_with(source, "part[t] = x["), read = line_with(source, "part[t] += part");
  EXPECT_TRUE(race->findings[0].line == write || race->findings[0].line == read) << race->findings[0].with_place();
  EXPECT_TRUE(run(example("race_fixed"), options())->findings.empty());

  const auto barrier = run(example("barrier"), options());
  ASSERT_TRUE(barrier);
  ASSERT_EQ(barrier->findings.size(), 1u);
  EXPECT_EQ(barrier->findings[0].line, line_with(example("barrier").source, "__syncthreads"));
  EXPECT_TRUE(run(example("barrier_fixed"), options())->findings.empty());

  // For a draft in PTX, the lines are those of the PTX.
  const auto ptx = as_ptx(example("race"));
  const auto as_text = run(*ptx, options());
  ASSERT_EQ(as_text->findings.size(), 1u);
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < as_text->findings[0].line; ++line) at = ptx->source.find('\n', at) + 1;
  EXPECT_THAT(ptx->source.substr(at, ptx->source.find('\n', at) - at), ::testing::HasSubstr(".shared."));

  DraftOptions how = options();
  how.sanitize = false;
  EXPECT_TRUE(run(example("race"), how)->findings.empty());
}

TEST(KernelLab, WhatTheExamplesShow) {
  const auto figure = [](const DraftRun& ran, std::string_view name) {
    const auto figures = figures_of(ran);
    const auto found = std::ranges::find(figures, name, &RunFigure::name);
    EXPECT_NE(found, figures.end()) << name;
    return found == figures.end() ? 0.0 : found->value;
  };
  const auto conflicts = run(example("bank_conflicts"), options()),
             padded = run(example("bank_conflicts_padded"), options());
  // 32 rows of a tile are read as a column: each of the 32 columns of 256 tiles takes 31 passes more.
  EXPECT_EQ(figure(*conflicts, "shared_bank_conflicts"), 31.0 * 32 * 256);
  EXPECT_EQ(figure(*padded, "shared_bank_conflicts"), 0);
  EXPECT_LT(figure(*padded, "cycles"), figure(*conflicts, "cycles"));
  const auto divergence = run(example("divergence"), options()), fixed = run(example("divergence_fixed"), options());
  EXPECT_LT(figure(*fixed, "warp_instructions"), 0.6 * figure(*divergence, "warp_instructions"));
  EXPECT_LT(figure(*fixed, "cycles"), figure(*divergence, "cycles"));
  EXPECT_EQ(divergence->loaded.launch.buffers[1].bytes, fixed->loaded.launch.buffers[1].bytes);
}

TEST(KernelLab, FourMatmulsGiveTheSameProduct) {
  DraftOptions how = options();
  how.limits.max_timed_warp_instructions = 0;
  how.sanitize = false;
  const auto naive = run(example("matmul_naive"), how);
  ASSERT_TRUE(naive);
  EXPECT_FALSE(naive->result.cycles.timing);
  for (const std::string_view name : {"matmul_coalesced", "matmul_tiled", "matmul_registers"})
    EXPECT_EQ(run(example(name), how)->loaded.launch.buffers[2].bytes, naive->loaded.launch.buffers[2].bytes) << name;
}

TEST(KernelLab, FiguresAreThoseOfSimulate) {
  const DraftOptions how = options();
  auto loaded = load_launch(assets / "kernel_lab/race.json", how.device);
  ASSERT_TRUE(loaded) << loaded.error();
  auto& simulated = *loaded;
  gpu::SimulateOptions sanitized;
  sanitized.sanitize = true;
  CyclesOptions cycles;
  cycles.choice = CyclesChoice::on;
  const auto result = run_launch(how.device, simulated, sanitized, cycles);
  rapidjson::Document report;
  report.Parse(report_json(how.device, simulated, *result).c_str());

  const auto ran = run(example("race"), how);
  ASSERT_TRUE(ran);
  const std::vector<RunFigure> figures = figures_of(*ran);
  std::size_t compared = 0;
  for (const RunFigure& figure : figures) {
    const bool stall = figure.name.starts_with("stall_");
    const auto& object = stall                                                  ? report["stalls"]
                         : report["issue_slots"].HasMember(figure.name.c_str()) ? report["issue_slots"]
                                                                                : report;
    const std::string name = stall ? figure.name.substr(6) : figure.name;
    ASSERT_TRUE(object.HasMember(name.c_str())) << name;
    EXPECT_DOUBLE_EQ(object[name.c_str()].GetDouble(), figure.value) << name;
    ++compared;
  }
  EXPECT_GT(compared, 40u);
  // And every number of the report is among them.
  for (const auto& member : report.GetObject()) {
    const std::string_view name = member.name.GetString();
    if (!member.value.IsNumber() || name.find("host") != name.npos || name == "threads" ||
        name == "warp_instructions_per_second")
      continue;
    EXPECT_NE(std::ranges::find(figures, name, &RunFigure::name), figures.end()) << name;
  }
  EXPECT_EQ(ran->trace().kernel_order.size(), 1u);
}

TEST(KernelLab, Comparison) {
  const std::vector<RunFigure> a = {{"cycles", 200}, {"only_a", 1}, {"zero", 0}},
                               b = {{"cycles", 100}, {"new", 5}, {"zero", 3}};
  const auto rows = compare_figures(a, b);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].name, "cycles");
  EXPECT_EQ(*rows[0].difference(), -100);
  EXPECT_EQ(*rows[0].ratio(), 0.5);
  EXPECT_EQ(rows[1].name, "new");
  EXPECT_FALSE(rows[1].a || rows[1].difference() || rows[1].ratio());
  EXPECT_FALSE(rows[2].b || rows[2].difference());
  EXPECT_EQ(*rows[3].difference(), 3);
  EXPECT_FALSE(rows[3].ratio());
}

TEST(KernelLab, EndlessAndHugeLaunchesAreRefused) {
  DraftOptions how = options();
  how.limits.max_operations = 1'000'000;
  // No block runs for long, but there are many. 2 operations per warp and some more.
  KernelDraft many = ptx_draft("ld.param.u64 %d1, [y];\nmov.u32 %r1, 5;\nst.global.u32 [%d1], %r1;\n");
  many.launch = "kernel k\ngrid 1000000\nblock 64\ny: i32[128]\n";
  const auto found = messages(many, how);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found.front(), ::testing::HasSubstr("more than 1 million operations"));
  // One block that never ends: a finding at its line.
  const auto endless = run(ptx_draft("L:\nadd.u32 %r1, %r1, 1;\nbra L;\n"), how);
  ASSERT_TRUE(endless);
  ASSERT_FALSE(endless->findings.empty());
  EXPECT_GE(endless->findings.front().line, 9u);
  // An array per thread, for all the threads that are resident.
  KernelDraft arrays = ptx_draft(".local .b8 big[400000];\nst.local.u32 [big+399996], 5;\n");
  arrays.launch = "kernel k\ngrid 1000\nblock 1024\ny: i32[128]\n";
  EXPECT_THAT(messages(arrays, how).front(), ::testing::HasSubstr("400000 bytes of local memory"));
  // Memory and grid are checked before anything is allocated.
  KernelDraft large = ptx_draft("");
  large.launch = "kernel k\ngrid 2\nblock 64\ny: f64[1000000000000]\n";
  const auto refused = messages(large, how);
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused.front().substr(0, 15), "launch: line 4:") << refused.front();
  large.launch = "kernel k\ngrid 2000000000\nblock 64\ny: f64[100]\n";
  EXPECT_EQ(messages(large, how).front().substr(0, 15), "launch: line 2:");
  large.source = std::string(max_draft_bytes + 1, ' ');
  EXPECT_THAT(messages(large, how).front(), ::testing::HasSubstr("at most 256"));
}

TEST(KernelLab, Cancel) {
  DraftOptions how = options();
  std::atomic<bool> cancel = false;
  how.cancel = &cancel;
  // Long enough to be cancelled: the counter comes from memory, so no endless loop is proved.
  const KernelDraft slow = ptx_draft(
      "ld.param.u64 %d1, [y];\nL:\nld.volatile.global.u32 %r1, [%d1];\nadd.u32 %r1, %r1, 1;\n"
      "st.volatile.global.u32 [%d1], %r1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\n");
  how.limits.max_block_operations = how.limits.max_operations = ~std::uint64_t{0} >> 1;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel = true;
  });
  const auto ran = run_draft(slow, how);
  later.join();
  const auto* const failure = std::get_if<DraftFailure>(&ran);
  ASSERT_NE(failure, nullptr);
  EXPECT_TRUE(failure->cancelled);
  EXPECT_TRUE(failure->messages.empty());
}

TEST(KernelLab, FilesKeepTheDraft) {
  const platform::TemporaryFolder folder;
  const KernelDraft draft = *as_ptx(example("barrier"));
  ASSERT_TRUE(save_draft(draft, folder.path()));
  const auto opened = open_draft(folder.path() / "barrier.json");
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(opened->source, draft.source);
  EXPECT_EQ(opened->launch, draft.launch);
  EXPECT_EQ(opened->language, DraftLanguage::ptx);
  // The saved file is a launch file that simulate runs.
  EXPECT_TRUE(load_launch(folder.path() / "barrier.json", options().device));

  KernelDraft cuda = example("barrier");
  cuda.name = "mine";
  ASSERT_TRUE(save_draft(cuda, folder.path()));
  const auto again = open_draft(folder.path() / "mine.json");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->source, cuda.source);
  EXPECT_FALSE(again->uses_precompiled());
  cuda.launch = "grid";
  EXPECT_FALSE(save_draft(cuda, folder.path()));
  EXPECT_FALSE(save_draft(draft, folder.path() / "missing"));
  EXPECT_FALSE(open_draft(folder.path() / "missing.json"));
}

// A pipe would block the window, even one that is read.
// A saved exercise contains the expected result, so a kernel that computes nothing does not pass.
TEST(KernelLab, ASavedExerciseExpectsItsResult) {
  for (const char* const name : {"race_fixed", "barrier_fixed", "bounds_fixed", "divergence_fixed"}) {
    SCOPED_TRACE(name);
    const platform::TemporaryFolder folder;
    KernelDraft draft = example(name);
    ASSERT_EQ(draft.expected.size(), 1u);
    ASSERT_TRUE(save_draft(draft, folder.path()));
    const auto again = open_draft(folder.path() / (draft.name + ".json"));
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(again->expected, draft.expected);
    // The expected result is not all zeros, so a kernel that writes nothing fails.
    const auto right =
        load_launch(std::filesystem::path(WARPWALK_SOURCE_DIR "/assets/kernel_lab") / (std::string(name) + ".json"),
                    options().device);
    ASSERT_TRUE(right) << right.error();
    EXPECT_EQ(right->expected.size(), 1u);
    EXPECT_NE(right->expected[0].bytes, std::vector<std::uint8_t>(right->expected[0].bytes.size()));
    // If the buffer has another size, the expected result is dropped.
    const std::string buffer = draft.expected[0].buffer + ": f32[";
    draft.launch.replace(draft.launch.find(buffer), buffer.size(), buffer + "1");
    ASSERT_TRUE(save_draft(draft, folder.path()));
    EXPECT_TRUE(open_draft(folder.path() / (draft.name + ".json"))->expected.empty());
  }
}

TEST(KernelLab, APipeIsNoPlaceForADraft) {
  const KernelDraft draft = *as_ptx(example("barrier"));
  for (const char* const name : {"barrier.ptx", "barrier.json"}) {
    const platform::TemporaryFolder folder;
    const std::filesystem::path pipe = folder.path() / name;
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    const auto saved = save_draft(draft, folder.path());
    close(reader);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error(), pipe.string() + ": is not a regular file");
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  }
}

TEST(KernelLab, ARunawayEndsAtTheLimitOfABlock) {
  // The counter comes from memory, so nothing is proved.
  const auto endless =
      run(ptx_draft("ld.param.u64 %d1, [y];\nL:\nld.volatile.global.u32 %r1, [%d1];\nadd.u32 %r1, %r1, 2;\n"
                    "st.volatile.global.u32 [%d1], %r1;\nsetp.ne.u32 %p1, %r1, 7;\n@%p1 bra L;\n"),
          [] {
            DraftOptions how = options();
            how.sanitize = false;
            return how;
          }());
  ASSERT_TRUE(endless);
  ASSERT_EQ(endless->findings.size(), 1u);
  EXPECT_THAT(endless->findings.front().message,
              ::testing::HasSubstr("more than 16777216 operations, the limit per block"));
}

TEST(KernelLab, ARecordedKernelIsADraft) {
  const KernelDraft original = example("divergence");
  const auto ran = run(original, options());
  const trace::Trace trace = ran->trace();
  const auto taken = draft_of_kernel(trace, trace.kernel_order[0]);
  ASSERT_TRUE(taken) << taken.error();
  const auto& draft = *taken;
  EXPECT_EQ(draft.source, original.source);
  EXPECT_EQ(draft.language, DraftLanguage::cuda);
  EXPECT_TRUE(draft.uses_precompiled());
  const auto again = run(draft, options());
  ASSERT_TRUE(again);
  EXPECT_EQ(figures_of(*again), figures_of(*ran));
  EXPECT_EQ(again->trace().records.kernels.front().digests, trace.records.kernels.front().digests);
}

// c = a b with a: 520 x 32 and b: 32 x 328, whose launch was recorded with its memory.
TEST(KernelLab, ALaunchThatWasRecordedWithItsMemoryIsADraftThatCompiles) {
  const trace::ReadResult read = trace::read_trace(assets / "walks/h200_relu_matmul_inside.json.gz");
  ASSERT_FALSE(read.error) << *read.error;
  const std::vector<trace::SliceId> inside = recorded_launches(read.trace);
  ASSERT_FALSE(inside.empty());
  const auto taken = draft_of_kernel(read.trace, inside.front());
  ASSERT_TRUE(taken) << taken.error();
  EXPECT_EQ(taken->language, DraftLanguage::cuda);
  EXPECT_THAT(taken->launch, ::testing::HasSubstr("kernel matmul\ngrid   21 x 33\nblock  16 x 16\n\n"
                                                  "a: f32[16640] random 1\nb: f32[10496] random 2\nc: f32[170560]\n"
                                                  "m: i32 520\nn: i32 328\ndepth: i32 32\n"));
  EXPECT_TRUE(std::holds_alternative<CompiledDraft>(compile_draft(*taken, options())));
  // The same kernel ran before without its memory being recorded.
  trace::SliceId without = trace::no_slice;
  for (const trace::SliceId kernel : read.trace.kernel_order)
    if (std::ranges::find(inside, kernel) == inside.end() && read.trace.name(kernel) == "matmul") without = kernel;
  ASSERT_NE(without, trace::no_slice);
  const auto none = draft_of_kernel(read.trace, without);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), "the trace does not hold the arguments of this launch");
}

TEST(KernelLab, ParametersAreThoseOfTheKernelThatIsNamed) {
  constexpr std::string_view source =
      "__global__ void first(int* p) {}\n__global__ void __launch_bounds__(128) second(const double* x, unsigned n, "
      "Pair q) {}";
  const auto found = declared_parameters(source, DraftLanguage::cuda, "_Z6secondPKdj4Pair");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "x");
  EXPECT_TRUE(found[0].pointer);
  EXPECT_EQ(found[0].dtype, ops::DType::f64);
  EXPECT_FALSE(found[1].pointer);
  EXPECT_EQ(found[1].dtype, ops::DType::u32);
  EXPECT_FALSE(found[2].dtype);
  EXPECT_TRUE(declared_parameters(source, DraftLanguage::cuda, "third").empty());
  EXPECT_TRUE(
      declared_parameters("__global__ void vecadd(int* p) {}", DraftLanguage::cuda, "_Z16vecadd_and_morexPi").empty());
}

TEST(KernelLab, LinesThatAreTheSameKeepTheirNumbers) {
  using Lines = std::vector<std::uint32_t>;
  EXPECT_EQ(carried_lines("a\nb\nc\n", "a\nb\nc\n"), (Lines{0, 1, 2, 3}));
  EXPECT_EQ(carried_lines("a\nb\nc\n", "a\nnew\nb\nc\n"), (Lines{0, 1, 0, 2, 3}));
  EXPECT_EQ(carried_lines("a\nb\nc\n", "a\nchanged\nc\n"), (Lines{0, 1, 0, 3}));
  EXPECT_EQ(carried_lines("a\nb\nc\n", "a\nc\n"), (Lines{0, 1, 3}));
  // A line that is there twice belongs to one of them only.
  EXPECT_EQ(carried_lines("a\n", "a\na\n"), (Lines{0, 1, 0}));
  EXPECT_EQ(carried_lines("a\na\n", "a\n"), (Lines{0, 1}));
  EXPECT_EQ(carried_lines("", "a"), (Lines{0, 0}));
  EXPECT_EQ(carried_lines("a", ""), (Lines{0}));
}

TEST(KernelLab, TheMainFiguresBeginWithTimeAndTheLargestWaits) {
  const std::vector<RunFigure> figures = {{"occupancy_pct", 50},
                                          {"cycles", 100},
                                          {"stall_selected", 900},
                                          {"stall_wait", 3},
                                          {"launch_cycles", 60},
                                          {"stall_barrier", 40},
                                          {"stall_membar", 0},
                                          {"stall_lg_throttle", 7},
                                          {"stall_long_scoreboard", 500},
                                          {"shared_bank_conflicts", 0},
                                          {"time_us", 2},
                                          {"registers", 32}};
  EXPECT_EQ(main_figures(figures),
            (std::vector<std::string>{"time_us", "cycles", "launch_cycles", "stall_long_scoreboard", "stall_barrier",
                                      "stall_lg_throttle", "shared_bank_conflicts", "occupancy_pct"}));
  EXPECT_TRUE(main_figures({}).empty());
}

TEST(KernelLab, ALaunchIsMadeUpFromTheParameters) {
  constexpr std::string_view source =
      "// __global__ void not_this(int a)\n"
      "/* nor __global__ void this(int b) */\n"
      "struct Size { int w, h; };\n"
      "extern \"C\" __global__ void __launch_bounds__(256, 2)\n"
      "scale(const float* __restrict__ x, double *y, unsigned char flags[32], int n, float by = 2, Size size,\n"
      "      unsigned long long big) {}\n";
  const std::string launch = launch_for(source, DraftLanguage::cuda);
  EXPECT_THAT(launch, ::testing::StartsWith("# "));
  EXPECT_THAT(launch, ::testing::EndsWith("kernel scale\ngrid 4\nblock 256\nx: f32[1024] random 1\n"
                                          "y: f64[1024] random 2\nflags: u8[1024] random 3\nn: i32 1024\nby: f32 1\n"
                                          "size: bytes 00000000\nbig: u64 1024\n"));
  EXPECT_TRUE(std::holds_alternative<LaunchText>(parse_launch_text(launch)));
  EXPECT_THAT(launch_for("__global__ void k() {}", DraftLanguage::cuda), ::testing::EndsWith("block 256\n"));
  EXPECT_EQ(launch_for("int main() {}", DraftLanguage::cuda), "");
  EXPECT_EQ(launch_for("__global__", DraftLanguage::cuda), "");
  // The made-up launch of a PTX kernel runs.
  KernelDraft draft = ptx_draft("ld.param.u64 %d1, [y];\nmov.u32 %r1, 5;\nst.global.u32 [%d1], %r1;\n");
  draft.launch = launch_for(draft.source, DraftLanguage::ptx);
  EXPECT_THAT(draft.launch, ::testing::HasSubstr("kernel k\n"));
  EXPECT_TRUE(run(draft, options()));
}

TEST(KernelLab, SourceFilesOpenWithTheirLaunchOrAMadeUpOne) {
  const platform::TemporaryFolder folder;
  const KernelDraft saved = *as_ptx(example("barrier"));
  ASSERT_TRUE(save_draft(saved, folder.path()));
  const auto beside = open_source_file(folder.path() / "barrier.ptx");
  ASSERT_TRUE(beside) << beside.error();
  EXPECT_EQ(beside->launch, saved.launch);
  EXPECT_EQ(beside->source, saved.source);

  std::ofstream(folder.path() / "mine.cu") << "__global__ void mine(float* x) { x[0] = 1; }\n";
  std::ofstream(folder.path() / "host.cu") << "int main() {}\n";
  std::ofstream(folder.path() / "notes.txt") << "no kernel\n";
  const auto mine = open_source_file(folder.path() / "mine.cu");
  ASSERT_TRUE(mine) << mine.error();
  EXPECT_EQ(mine->file_name(), "mine.cu");
  EXPECT_THAT(mine->launch, ::testing::HasSubstr("kernel mine\n"));
  EXPECT_THAT(open_source_file(folder.path() / "host.cu").error(), ::testing::HasSubstr("no __global__ function"));
  EXPECT_THAT(open_source_file(folder.path() / "notes.txt").error(), ::testing::HasSubstr("neither CUDA C++"));
  EXPECT_FALSE(open_source_file(folder.path() / "missing.cu"));
  std::vector<std::string> names;
  for (const auto& file : source_files_in(folder.path())) names.push_back(file.filename().string());
  EXPECT_EQ(names, (std::vector<std::string>{"barrier.ptx", "host.cu", "mine.cu"}));
  EXPECT_TRUE(source_files_in(folder.path() / "missing").empty());
}

TEST(KernelLab, MarksTheLinesThatOneVersionAloneHas) {
  using Lines = std::vector<std::uint32_t>;
  EXPECT_EQ(differing_lines("a\nb\nc\n", "a\nb\nc\n"), Lines{});
  EXPECT_EQ(differing_lines("a\nb\nc\n", "a\nx\nc\ny\n"), (Lines{2, 4}));
  EXPECT_EQ(differing_lines("a\n  b\n", "a\nb\n"), Lines{});  // only its indentation differs
  EXPECT_EQ(differing_lines("", "a\nb\n"), (Lines{1, 2}));
  EXPECT_EQ(differing_lines("a\nb\n", ""), Lines{});
  // A line that moved is a difference in one place, not everywhere behind it.
  EXPECT_EQ(differing_lines("a\nb\nc\nd\n", "b\nc\nd\na\n"), Lines{4});
}

TEST(KernelLab, ResultsOfATrustedRunAreExpectedOfLaterOnes) {
  const auto run_of = [](std::string_view value) {
    const auto ran = run_draft(ptx_draft(fmt::format("mov.u32 %r1, %tid.x;\nmul.wide.u32 %d1, %r1, 4;\n"
                                                     "ld.param.u64 %d2, [y];\nadd.u64 %d1, %d1, %d2;\n"
                                                     "st.global.u32 [%d1], {};\n",
                                                     value)),
                               options());
    return std::get<std::shared_ptr<const DraftRun>>(ran);
  };
  const std::vector<DraftExpectation> trusted = trusted_results(*run_of("7"));
  ASSERT_EQ(trusted.size(), 1u);
  EXPECT_EQ(trusted[0].buffer, "y");
  EXPECT_EQ(trusted[0].rtol, 0);  // integers are exact
  const auto same = check_results(*run_of("7"), trusted);
  ASSERT_EQ(same.size(), 1u);
  EXPECT_TRUE(same[0].good());
  const auto other = check_results(*run_of("8"), trusted);
  EXPECT_FALSE(other[0].good());
  EXPECT_EQ(other[0].comparison.mismatches, 64u);
  EXPECT_EQ(other[0].comparison.first->want, "7");
  auto resized = trusted;
  resized[0].bytes.resize(8);
  EXPECT_FALSE(check_results(*run_of("7"), resized)[0].good());
}

TEST(KernelLab, OpensLaunchFiles) {
  const std::filesystem::path file = assets / "kernel_lab/race.json";
  EXPECT_TRUE(is_launch_file(file));
  EXPECT_FALSE(is_launch_file(assets / "lessons/first_walk.json"));
  EXPECT_FALSE(is_launch_file(assets / "kernel_lab/race.cu"));
  EXPECT_FALSE(is_launch_file(assets / "kernel_lab/none.json"));
  const auto draft = open_source_file(file);
  ASSERT_TRUE(draft) << draft.error();
  EXPECT_EQ(draft->file_name(), "race.cu");
  // In a list of files, a launch file stands only if its source does not.
  const platform::TemporaryFolder folder;
  std::filesystem::copy_file(file, folder.path() / "race.json");
  EXPECT_EQ(source_files_in(folder.path()).size(), 1u);
  std::filesystem::copy_file(assets / "kernel_lab/race.cu", folder.path() / "race.cu");
  EXPECT_EQ(source_files_in(folder.path()), std::vector{folder.path() / "race.cu"});
}

}  // namespace
}  // namespace warpwalk::run
