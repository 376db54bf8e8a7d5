// PTX of LLVM IR as a clang without a back end for NVIDIA's GPUs writes it: the IR of exercises is graded as CUDA C++
// is. ir has EXERCISE.NAME.ll of clang 22, made of the exercise's NAME.cu with the options of
// app/window/browser/compiler.js.
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/nvvm/read_ir.h"
#include "core/nvvm/write_ptx.h"
#include "core/run/exercise/grade.h"

namespace warpwalk::run {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path root = WARPWALK_SOURCE_DIR;

std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << file;
  return text.str();
}

base::Result<std::string> ptx_of(std::string_view ir) {
  const auto module = nvvm::read_ir(ir);
  return module ? nvvm::write_ptx(*module, "kernel.cu") : base::Result<std::string>(base::Error{module.error()});
}

/// A kernel with this code.
base::Result<std::string> kernel_ptx(const std::string& code) {
  return ptx_of("define ptx_kernel void @k(ptr %a, i32 %n) {\nentry:\n" + code + "\n  ret void\n}\n");
}

class GradedIr : public ::testing::TestWithParam<std::string> {};

TEST_P(GradedIr, TheSolutionPasses) {
  const std::string name = GetParam();
  auto exercise = open_exercise(root / "assets/exercises" / name);
  ASSERT_TRUE(exercise) << exercise.error();
  const std::string solution = text_of_file(root / "tests/exercises" / name / "solution.cu");
  const std::map<std::string, std::string> names = {
      {exercise->starter, "starter"}, {exercise->reference, "reference"}, {solution, "solution"}};
  GradeOptions how;
  how.seed = 5;
  auto device = gpu::load_device(root / "assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  how.how.device = *std::move(device);
  how.how.ask_ptxas = false;
  how.how.compile_cuda = [&](const std::string& source, const std::string&, std::string_view,
                             const std::atomic<bool>*) -> platform::CompileResult {
    auto ptx = ptx_of(text_of_file(root / "tests/run/exercise/ir" / (name + "." + names.at(source) + ".ll")));
    if (!ptx) return platform::CudaFailure{ptx.error(), ""};
    return platform::CompiledCuda{source, *std::move(ptx), "", "clang", ""};
  };
  Grader grader(*std::move(exercise), how);
  const auto ready = grader.prepare();
  ASSERT_TRUE(ready) << ready.error();
  const Grade graded = grader.grade(solution, "solution");
  for (const Verdict& verdict : graded.verdicts) EXPECT_TRUE(verdict.passed) << verdict.criterion << verdict.reason;
}

INSTANTIATE_TEST_SUITE_P(Exercises, GradedIr, ::testing::Values("reduction"));

TEST(LlvmIr, ValuesOfALoopAreExchangedAtOnce) {
  // Two values that change places in each turn: neither move may see the other's result.
  const auto ptx = kernel_ptx(
      "  br label %loop\nloop:\n  %x = phi i32 [ 1, %entry ], [ %y, %loop ]\n  %y = phi i32 [ 2, %entry ], [ %x, %loop "
      "]\n"
      "  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  %j = add i32 %i, 1\n  %more = icmp slt i32 %j, %n\n"
      "  br i1 %more, label %loop, label %end\nend:\n  store i32 %x, ptr %a, align 4");
  ASSERT_TRUE(ptx) << ptx.error();
  EXPECT_THAT(*ptx, HasSubstr("mov.b32 %r5, %r3;\n\t@%p1 mov.b32 %r6, %r2;\n\t@%p1 mov.b32 %r2, %r5;"));
  EXPECT_THAT(*ptx, HasSubstr("add.s32 %r4, %r4, 1;"));  // the counter keeps its register
}

TEST(LlvmIr, APointerThatIsReadAfterItsStepIsReadOnce) {
  // *++p: the load is at p + 4, whichever register holds the stepped pointer.
  const auto ptx = kernel_ptx(
      "  br label %loop\nloop:\n  %p = phi ptr [ %a, %entry ], [ %q, %loop ]\n"
      "  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  %q = getelementptr i8, ptr %p, i64 4\n"
      "  %v = load float, ptr %q, align 4\n  store volatile float %v, ptr %a, align 4\n  %j = add i32 %i, 1\n"
      "  %more = icmp slt i32 %j, %n\n  br i1 %more, label %loop, label %end\nend:");
  ASSERT_TRUE(ptx) << ptx.error();
  static const std::regex step("add\\.s64 \t?(%rd[0-9]+), (%rd[0-9]+), 4;"), load("\\[(%rd[0-9]+)\\+4\\]");
  std::smatch stepped, loaded;
  ASSERT_TRUE(std::regex_search(*ptx, stepped, step)) << *ptx;
  ASSERT_TRUE(std::regex_search(*ptx, loaded, load)) << *ptx;
  EXPECT_NE(stepped[1], stepped[2]) << *ptx;  // not over the pointer that the load is relative to
  EXPECT_EQ(loaded[1], stepped[2]) << *ptx;
}

TEST(LlvmIr, BytesAreComparedAsTheirSignSays) {
  const auto below = kernel_ptx(
      "  %t = trunc i32 %n to i8\n  %c = icmp sgt i8 %t, -1\n  %s = select i1 %c, i32 1, i32 2\n"
      "  store i32 %s, ptr %a, align 4");
  ASSERT_TRUE(below) << below.error();
  EXPECT_THAT(*below, HasSubstr(", -1;"));
  const auto chosen = kernel_ptx(
      "  %t = trunc i32 %n to i8\n  switch i8 %t, label %end [ i8 3, label %three ]\nthree:\n"
      "  store i32 3, ptr %a, align 4\n  br label %end\nend:");
  ASSERT_TRUE(chosen) << chosen.error();
  EXPECT_THAT(*chosen, HasSubstr("and.b16"));  // the upper bits are left over
}

TEST(LlvmIr, StoresKeepTheirOrderWhereTheyMayMeet) {
  const auto ptx = kernel_ptx(
      "  %b = getelementptr float, ptr %a, i32 %n\n  %p = getelementptr i8, ptr %a, i64 4\n"
      "  store float 1.0, ptr %a, align 8\n  store float 2.0, ptr %b, align 4\n  store float 3.0, ptr %p, align 4");
  ASSERT_TRUE(ptx) << ptx.error();
  EXPECT_THAT(*ptx, ::testing::Not(HasSubstr("st.global.v2")));
}

TEST(LlvmIr, MemoryOfItsOwnIsAlignedAsTheIrSays) {
  const auto ptx = kernel_ptx("  %m = alloca { float, float, float, float }, align 16\n"
                              "  store volatile float 1.0, ptr %m, align 16");
  ASSERT_TRUE(ptx) << ptx.error();
  EXPECT_THAT(*ptx, HasSubstr(".local .align 16 .b8"));
}

TEST(LlvmIr, NeighbouringWordsAreOneAccess) {
  const auto ptx = kernel_ptx(
      "  %1 = load float, ptr %a, align 16\n  %p = getelementptr inbounds i8, ptr %a, i64 4\n"
      "  %2 = load float, ptr %p, align 4\n  %s = fadd contract float %1, %2\n  store float %s, ptr %a, align 4");
  ASSERT_TRUE(ptx) << ptx.error();
  EXPECT_THAT(*ptx, HasSubstr("ld.global.v2.f32 {%f1, %f2}, [%rd2];"));
}

TEST(LlvmIr, WhatIsNotSupportedIsNamed) {
  EXPECT_THAT(kernel_ptx("  %1 = add i128 1, 2").error(), HasSubstr("integers of the type i128"));
  EXPECT_THAT(kernel_ptx("  %1 = add i24 1, 2").error(), HasSubstr("integers of 24 bits"));
  EXPECT_THAT(kernel_ptx("  call void @f()").error(), HasSubstr("declare it __forceinline__"));
  EXPECT_THAT(kernel_ptx("  %1 = call i32 @vprintf(ptr %a, ptr %a)").error(), HasSubstr("printf"));
  EXPECT_THAT(kernel_ptx("  %1 = resume 3").error(), HasSubstr("line 3 of the LLVM IR"));
  EXPECT_FALSE(ptx_of("define dso_local"));
  const std::string whole = text_of_file(root / "tests/run/exercise/ir/reduction.starter.ll");
  for (std::size_t size = 0; size < whole.size(); size += 397) (void)ptx_of(whole.substr(0, size));  // does not crash
}

}  // namespace
}  // namespace warpwalk::run
