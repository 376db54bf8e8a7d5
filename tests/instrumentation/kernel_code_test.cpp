// Tests the machine code of kernels with a fake nvdisasm that prints what the test provides.
#include "instrumentation/kernel_code.h"

#include <atomic>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/sass/elf/cubin.h"
#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "instrumentation/trace_builder.h"
#include "tests/app/program.h"
#include "tests/trace/equal.h"

namespace warpwalk::instrumentation {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using warpwalk::testing::Folder;

std::string data(const std::string& name) {
  std::ifstream file(WARPWALK_SOURCE_DIR "/tests/instrumentation/data/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr std::string_view scale = "_Z5scalePffi", shift = "_Z5shiftIiEvPT_S0_i";

/// A walk of the given kernels (name and duration in microseconds) with the given cubins.
struct KernelRecording {
  trace::Trace trace;
  LoadedCode code;

  KernelRecording(const std::vector<std::pair<std::string_view, int>>& kernels,
                  const std::vector<std::string>& cubins) {
    TraceBuilder maker;
    maker.add(Begin{1, 130001, 1'700'000'000'000'000'000, "program"});
    std::uint32_t number = 0;
    for (const auto& [name, us] : kernels) {
      KernelRow row;
      row.start = 1'700'000'000'000'000'000 + ++number * 1'000'000;
      row.end = row.start + static_cast<std::uint64_t>(us) * 1000;
      row.name = number, row.correlation = number, row.registers = 16, row.dynamic_shared = 1024;
      row.grid = {4, 2, 1}, row.block = {128, 1, 1};
      maker.add(Name{number, name});
      maker.add(row);
    }
    maker.add(CodeBegin{});
    for (std::uint32_t c = 0; c < cubins.size(); ++c) {
      maker.add(CubinRow{c, cubins[c].size(), 1});
      for (std::size_t at = 0; at < cubins[c].size(); at += 5000)
        maker.add(CubinPart{c, std::string_view(cubins[c]).substr(at, 5000)});
    }
    RecordingSummary account;
    trace = maker.finish(account);
    code = maker.release_code();
  }

  const trace::KernelRecord* record(std::size_t kernel) const {
    const std::int64_t row = trace.kernels[kernel].record;
    return row < 0 ? nullptr : &trace.records.kernels[static_cast<std::size_t>(row)];
  }
  const trace::Module& module(std::size_t kernel) const { return trace.records.modules[record(kernel)->module]; }
};

/// Options with this shell script in place of nvdisasm.
CodeOptions with(const Folder& folder, const std::string& script) {
  CodeOptions options;
  options.nvdisasm = folder.file("nvdisasm", "#!/bin/sh\n" + script);
  std::filesystem::permissions(*options.nvdisasm, std::filesystem::perms::owner_all);
  options.deadline = steady_clock::now() + seconds(20);
  return options;
}

/// An nvdisasm that prints these files, with source lines and with PTX lines, and logs its arguments.
CodeOptions prints_files(const Folder& folder, const std::string& with_source, const std::string& with_ptx) {
  const std::string from = WARPWALK_SOURCE_DIR "/tests/";
  return with(folder, "echo \"${@%/*}\" >> " + folder.at("calls") + "\ncase $1 in -gi) cat " + from + with_source +
                          ";; -gp) cat " + from + with_ptx + ";; *) exit 3;; esac\n");
}

/// Prints the output of nvdisasm 13.0 for two.cubin. It was made with -g, which equals -gi if nothing is inlined.
CodeOptions real(const Folder& folder) {
  return prints_files(folder, "instrumentation/data/two.g.sass", "instrumentation/data/two.gp.sass");
}

TEST(KernelCode, OfEveryLaunchedKernelWithTheLinesOfItsSource) {
  const Folder folder;
  KernelRecording made({{scale, 5}, {shift, 19}, {scale, 5}}, {data("two.cubin")});
  const CodeSummary account = add_code(made.trace, made.code, real(folder));
  EXPECT_EQ(account.kernels, 2u);
  EXPECT_EQ(account.with_code, 2u);
  EXPECT_EQ(account.missing, std::vector<std::string>{});
  // One run for both kernels.
  std::ifstream calls(folder.at("calls"));
  std::string first, second, third;
  std::getline(calls, first), std::getline(calls, second), std::getline(calls, third);
  EXPECT_EQ(first.substr(0, 18), "-gi -c -fun 12,13 ");
  EXPECT_EQ(second.substr(0, 18), "-gp -c -fun 12,13 ");
  EXPECT_EQ(third, "");

  ASSERT_EQ(made.trace.records.modules.size(), 2u);
  ASSERT_EQ(made.trace.records.kernels.size(), 2u);  // both launches of scale have the same configuration
  EXPECT_EQ(made.record(0), made.record(2));
  const trace::KernelRecord& record = *made.record(0);
  EXPECT_EQ(record.entry, scale);
  EXPECT_EQ(record.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(record.block, (std::array<std::uint32_t, 3>{128, 1, 1}));
  EXPECT_EQ(record.dynamic_shared_bytes, 1024u);
  EXPECT_EQ(record.registers, 16u);
  EXPECT_EQ(record.registers_origin, "cubin");
  EXPECT_EQ(record.measured_by, "CUPTI 13.0, by warpwalk record");

  const trace::Module& module = made.module(0);
  // Its cubin contains only this kernel.
  const auto cubin = sass::parse_cubin({reinterpret_cast<const char*>(module.cubin.data()), module.cubin.size()});
  ASSERT_TRUE(cubin) << cubin.error();
  ASSERT_EQ(cubin->functions.size(), 1u);
  EXPECT_EQ(cubin->functions.front().name, scale);
  EXPECT_EQ(cubin->functions.front().code.size(), 512u);
  EXPECT_EQ(module.name, "scale(float*, float, int)");
  EXPECT_EQ(module.source_file, "two.cu");
  EXPECT_THAT(module.sass, ::testing::HasSubstr("\t//## File \"two.cu\", line 2\n"));
  EXPECT_TRUE(module.sass.starts_with(".text._Z5scalePffi:\n")) << module.sass;
  EXPECT_THAT(module.sass, ::testing::HasSubstr("FMUL"));
  EXPECT_THAT(module.sass, ::testing::Not(::testing::HasSubstr("shift")));
  ASSERT_EQ(module.line_map.size(), 32u);  // instructions of 16 bytes in a section of 512 bytes
  // The multiplication maps to line 4 of the source and to the PTX line with the mul.
  const std::size_t multiplies = module.sass.find("FMUL");
  const std::size_t offset = module.sass.rfind("/*", module.sass.rfind("*/", multiplies)) + 2;
  const auto at = static_cast<std::uint32_t>(std::stoul(module.sass.substr(offset, 4), nullptr, 16));
  const trace::LineMapRow& row = module.line_map[at / 16];
  EXPECT_EQ(row.sass_offset, at);
  EXPECT_EQ(row.source_line, 4u);
  std::string_view ptx = module.ptx;
  for (std::uint32_t line = 1; line < row.ptx_line; ++line) ptx.remove_prefix(ptx.find('\n') + 1);
  EXPECT_EQ(ptx.substr(0, ptx.find('\n')), "mul.f32 \t%f3, %f2, %f1;");

  // The written file reads back unchanged.
  ASSERT_TRUE(trace::write_trace(made.trace, folder.at("walk.json.gz")));
  const trace::ReadResult back = trace::read_trace(folder.at("walk.json.gz"));
  ASSERT_FALSE(back.error);
  for (const trace::Problem& problem : back.problems.rows()) EXPECT_NE(problem.kind, trace::ProblemKind::bad_record);
  EXPECT_EQ(back.trace.records, made.trace.records);
}

TEST(KernelCode, HasItsSourceIfTheFileIsThere) {
  const Folder folder;
  std::string text = "__global__ void scale(float* x, float by, int n);\n";
  text.resize(457, '\n');  // the size in the line table
  CodeOptions options = real(folder);
  options.sources.files = {folder.file("two.cu", text)};
  KernelRecording both({{scale, 5}, {shift, 19}}, {data("two.cubin")});
  CodeSummary account = add_code(both.trace, both.code, options);
  EXPECT_EQ(account.with_source, 2u);
  EXPECT_EQ(account.missing_sources, std::vector<std::string>{});
  for (const std::size_t kernel : {0u, 1u}) {
    EXPECT_EQ(both.module(kernel).source, text);
    EXPECT_EQ(both.module(kernel).source_file, "two.cu");
  }
  EXPECT_EQ(both.module(0).source.view().data(), both.module(1).source.view().data());

  options.sources.keep = false;
  KernelRecording none({{scale, 5}, {shift, 19}}, {data("two.cubin")});
  account = add_code(none.trace, none.code, options);
  EXPECT_EQ(account.with_source, 0u);
  EXPECT_EQ(account.missing_sources, std::vector<std::string>{});
  EXPECT_EQ(none.module(0).source, "");
  EXPECT_EQ(none.module(0).source_file, "two.cu");

  // Two kernels of one file that is missing: one line.
  KernelRecording missing({{scale, 5}, {shift, 19}}, {data("two.cubin")});
  account = add_code(missing.trace, missing.code, real(folder));
  EXPECT_EQ(account.missing_sources, std::vector<std::string>{"/src/two.cu is not there; give it with --source FILE"});
}

// inlined.cubin is built from tests/run/data/inlined.cu with nvcc 13.0, and ptxas and nvdisasm of 11.8.
TEST(KernelCode, LinesAreThoseOfTheFileThatAKernelIsWrittenIn) {
  const Folder folder;
  constexpr std::string_view doubled = "_Z7doubledIiEvPT_";
  KernelRecording made({{"inlined", 5}, {doubled, 9}}, {data("inlined.cubin")});
  EXPECT_EQ(
      add_code(made.trace, made.code, prints_files(folder, "run/data/inlined.gi.sass", "run/data/inlined.gp.sass"))
          .with_code,
      2u);
  const trace::Module& module = made.module(0);
  EXPECT_EQ(module.source_file, "inlined.cu");
  ASSERT_EQ(module.line_map.size(), 40u);
  EXPECT_EQ(module.line_map[0xd0 / 16], (trace::LineMapRow{0xd0, 68, 12})) << "line 5 of steps.cuh, two calls deep";
  EXPECT_EQ(module.line_map[0xf0 / 16], (trace::LineMapRow{0xf0, 72, 12})) << "line 10 of steps.cuh";
  EXPECT_EQ(module.line_map[0x120 / 16], (trace::LineMapRow{0x120, 78, 5}));
  EXPECT_EQ(module.line_map[0x1a0 / 16], (trace::LineMapRow{0x1a0, 24, 0})) << "line 14 of steps.cuh, called";
  EXPECT_THAT(module.sass,
              ::testing::HasSubstr("\t//## File \"steps.cuh\", line 9 inlined at \"inlined.cu\", line 12\n"));
  EXPECT_EQ(made.module(1).source_file, "steps.cuh");
  EXPECT_EQ(made.module(1).line_map[0x50 / 16].source_line, 20u);
}

// Output of nvdisasm for these functions, each with the given number of instructions.
std::string printed(const std::vector<std::pair<std::string_view, int>>& functions) {
  std::string text = "\t.target\tsm_90\n\n";
  for (const auto& [name, instructions] : functions) {
    text += "\n//--------------------- .text." + std::string(name) +
            "   --------------------------\n\t.section\t.text." + std::string(name) + "\n" + std::string(name) +
            ":\n.text." + std::string(name) + ":\n";
    for (int i = 0; i < instructions; ++i) {
      char line[64];
      std::snprintf(line, sizeof line, "        /*%04x*/                   NOP ;\n", static_cast<unsigned>(16 * i));
      text += line;
    }
  }
  return text;
}

CodeOptions prints(const Folder& folder, const std::string& text) {
  return with(folder, "cat " + folder.file("text", text) + "\n");
}

TEST(KernelCode, AllKernelsOfAFileHaveItsSourceIfThereIsRoomForOne) {
  const Folder folder;
  const std::string text(457, '\n');  // the size in the line table of two.cubin
  CodeOptions options = prints(folder, printed({{scale, 4}, {shift, 4}, {"inlined", 4}}));
  options.sources.files = {folder.file("two.cu", text), folder.file("inlined.cu", std::string(100, '\n'))};
  options.sources.max_walk_bytes = 500;
  KernelRecording made({{scale, 5}, {shift, 19}, {"inlined", 1}}, {data("two.cubin"), data("inlined.cubin")});
  const CodeSummary account = add_code(made.trace, made.code, options);
  EXPECT_EQ(account.with_code, 3u);
  EXPECT_EQ(account.with_source, 2u);
  EXPECT_EQ(made.module(0).source, text);
  EXPECT_EQ(made.module(1).source, text);
  EXPECT_EQ(made.module(2).source, "");
  EXPECT_EQ(account.missing_sources,
            std::vector<std::string>{folder.at("inlined.cu") + ": the walk already holds 457 B of sources"});
}

TEST(KernelCode, WhatIsTooLargeOrFindsNoRoomIsLeftOutAndSaid) {
  const Folder folder;
  KernelRecording made({{scale, 5}, {shift, 9}}, {data("two.cubin")});
  CodeOptions options = prints(folder, printed({{scale, 10}, {shift, 2000}}));
  options.max_kernel_bytes = 60'000;
  CodeSummary account = add_code(made.trace, made.code, options);
  EXPECT_EQ(account.with_code, 1u);
  EXPECT_EQ(account.missing, std::vector<std::string>{"no machine code for 1 kernel: more than 58.6 KiB of text"});
  EXPECT_NE(made.record(0), nullptr);
  EXPECT_EQ(made.record(1), nullptr);
  EXPECT_EQ(made.module(0).source_file, "");
  EXPECT_EQ(made.module(0).line_map.size(), 0u);  // nvdisasm printed no line information

  KernelRecording again({{scale, 5}, {shift, 9}}, {data("two.cubin")});
  options = prints(folder, printed({{scale, 100}, {shift, 100}}));
  options.max_walk_bytes = 8'000;  // enough for one kernel: 1.5 KiB of PTX and 4 KiB of SASS
  account = add_code(again.trace, again.code, options);
  EXPECT_EQ(account.with_code, 1u);
  EXPECT_EQ(again.record(0), nullptr);
  EXPECT_NE(again.record(1), nullptr);  // the kernel that runs longer is kept
  ASSERT_EQ(account.missing.size(), 1u);
  EXPECT_TRUE(account.missing[0].starts_with("no machine code for 1 kernel: the walk already holds "));
}

TEST(KernelCode, WhatIsNotThereIsCountedAndSaid) {
  const Folder folder;
  // Two versions of the same function: it is not known which one ran.
  std::string other = data("two.cubin");
  other[0x1300] = static_cast<char>(other[0x1300] + 1);
  KernelRecording made({{scale, 5}, {shift, 9}, {"_Z7unknownv", 1}}, {data("two.cubin"), other, "no cubin"});
  const CodeSummary account = add_code(made.trace, made.code, prints(folder, printed({{shift, 4}})));
  EXPECT_EQ(account.kernels, 3u);
  EXPECT_EQ(account.with_code, 1u);
  EXPECT_EQ(account.missing,
            (std::vector<std::string>{
                "no machine code for 1 kernel: not found in any loaded module",
                "no machine code for 1 kernel: several loaded modules have different code under the same name"}));
  bool summary = false;
  for (const auto& [key, value] : made.trace.metadata)
    if (made.trace.text(key) == "warpwalk_code")
      summary = made.trace.text(value).starts_with("{\"kernels\": 3, \"with_code\": 1, \"left_out\": [\"no machine");
  EXPECT_TRUE(summary);
}

TEST(KernelCode, AnNvdisasmThatFailsHangsOrIsNotThere) {
  const Folder folder;
  const auto lacks = [&](const CodeOptions& options) {
    KernelRecording made({{scale, 5}, {shift, 9}}, {data("two.cubin")});
    const CodeSummary account = add_code(made.trace, made.code, options);
    EXPECT_EQ(account.with_code, 0u);
    EXPECT_TRUE(made.trace.records.kernels.empty());
    return account.missing.size() == 1 ? account.missing[0] : std::string("?");
  };
  EXPECT_EQ(lacks(with(folder, "echo nvdisasm fatal : no >&2; echo more; exit 1")),
            "no machine code for 2 kernels: nvdisasm failed (nvdisasm fatal : no)");
  EXPECT_EQ(lacks(with(folder, "echo nothing of use")), "no machine code for 2 kernels: nvdisasm did not print it");
  CodeOptions hangs = with(folder, "sleep 60; echo late");
  hangs.deadline = steady_clock::now() + std::chrono::milliseconds(300);
  EXPECT_EQ(lacks(hangs), "no machine code for 2 kernels: nvdisasm took too long");
  EXPECT_LT(steady_clock::now(), hangs.deadline + seconds(20));
  CodeOptions none;
  EXPECT_EQ(lacks(none), "no machine code: nvdisasm is neither in PATH nor in a CUDA toolkit; install it");
}

TEST(KernelCode, WhatWasTakenApartBeforeItWasStoppedStays) {
  const Folder folder;
  const std::string from = WARPWALK_SOURCE_DIR "/tests/instrumentation/data/";
  std::atomic<bool> cancel = false;
  CodeOptions options = with(folder,
                             "for last; do :; done\n"
                             "cmp -s $last " +
                                 from +
                                 "inlined.cubin && exec sleep 60\n"
                                 "case $1 in -gi) exec cat " +
                                 from +
                                 "two.g.sass;; esac\n"
                                 "echo $$ > " +
                                 folder.at("number") + "\nexec cat " + from + "two.gp.sass\n");
  options.cancel = &cancel;
  const std::jthread asks([&] {
    // Waits until the last nvdisasm of two.cubin has exited and been reaped.
    pid_t number = 0;
    while (!(std::ifstream(folder.at("number")) >> number) || kill(number, 0) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel = true;
  });
  KernelRecording made({{"inlined", 5}, {scale, 50}, {shift, 50}}, {data("two.cubin"), data("inlined.cubin")});
  const auto began = steady_clock::now();
  const CodeSummary account = add_code(made.trace, made.code, options);
  EXPECT_LT(steady_clock::now(), began + seconds(20));
  EXPECT_EQ(account.with_code, 2u);
  EXPECT_EQ(account.missing, std::vector<std::string>{"no machine code for 1 kernel: interrupted"});
  EXPECT_EQ(made.record(0), nullptr);
  ASSERT_NE(made.record(1), nullptr);
  EXPECT_THAT(made.module(1).sass, ::testing::HasSubstr("FMUL"));
}

TEST(KernelCode, WhereNoneWasRecorded) {
  const Folder folder;
  KernelRecording none({{scale, 5}}, {});
  EXPECT_EQ(add_code(none.trace, none.code, prints(folder, "")).missing,
            std::vector<std::string>{"no machine code for 1 kernel: not found in any loaded module"});
  none.code.late = true;
  EXPECT_THAT(add_code(none.trace, none.code, prints(folder, "")).missing,
              ::testing::ElementsAre(
                  ::testing::StartsWith("no machine code for 1 kernel: loaded before the recording began; begin it")));
  none.code.recorded = false;
  EXPECT_EQ(add_code(none.trace, none.code, prints(folder, "")).missing, std::vector<std::string>{});
}

TEST(KernelCode, ModulesThatWereNotKeptWhole) {
  TraceBuilder maker;
  maker.add(Begin{1, 130001, 1'700'000'000'000'000'000, "program"});
  maker.add(Name{1, scale});
  KernelRow row;
  row.start = 1'700'000'000'000'000'000, row.end = row.start + 5, row.name = 1;
  maker.add(row);
  maker.add(CodeBegin{});
  maker.add(CubinRow{1, 100, 0});  // past the size limit
  maker.add(CubinRow{2, 100, 1});  // truncated
  maker.add(CubinPart{2, "the beginning"});
  RecordingSummary account;
  trace::Trace trace = maker.finish(account);
  const LoadedCode code = maker.release_code();
  EXPECT_EQ(code.cubins.size(), 0u);
  EXPECT_EQ(code.cubins_missing, 2u);
  const Folder folder;
  EXPECT_EQ(add_code(trace, code, prints(folder, "")).missing,
            std::vector<std::string>{
                "no machine code for 1 kernel: not found in the recorded modules; 2 modules were not recorded"});
}

TEST(SassText, FilesGoByTheirNamesAlone) {
  EXPECT_EQ(strip_folders("\t//## File \"/home/x/half.hpp\", line 7 inlined at \"/home/x/relu.cu\", line 20\n"
                          "\t//## File \"relu.cu\", line 20\n"
                          "        /*0000*/   LDC R1, c[0x0][0x28] ; /* \"a/b\" */\n"),
            "\t//## File \"half.hpp\", line 7 inlined at \"relu.cu\", line 20\n"
            "\t//## File \"relu.cu\", line 20\n"
            "        /*0000*/   LDC R1, c[0x0][0x28] ; /* \"a/b\" */\n");
  EXPECT_EQ(strip_folders(""), "");
}

}  // namespace
}  // namespace warpwalk::instrumentation
