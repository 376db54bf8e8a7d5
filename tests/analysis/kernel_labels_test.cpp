#include <gtest/gtest.h>

#include "core/analysis/names/short_names.h"

namespace warpwalk::analysis {
namespace {

using Labels = std::vector<std::string>;
using Names = std::vector<std::string_view>;

// The names as cuBLAS has them, shorter in the call arguments.
constexpr std::string_view reduce_once =
    "void cublasLt::splitKreduce_kernel<32, 16, int, float, float, float, float, false, float, float, float, true, "
    "false, false, false>(cublasLt::cublasSplitKParams<float>, float const*)";
constexpr std::string_view reduce_twice =
    "void cublasLt::splitKreduce_kernel<32, 16, int, float, float, float, float, false, float, float, float, true, "
    "true, false, false>(cublasLt::cublasSplitKParams<float>, float const*)";

TEST(KernelLabels, InstancesOfOneTemplateShowWhatDiffers) {
  EXPECT_EQ(kernel_labels(Names{reduce_once, "vecadd(float*)", reduce_twice}),
            (Labels{"splitKreduce_kernel<…, false, …>", "vecadd", "splitKreduce_kernel<…, true, …>"}));
}

// As Kineto leaves them if they are too long for its demangler: f<int, 2>() and f<int>().
TEST(KernelLabels, InstancesWithMangledNamesShowWhatDiffersToo) {
  EXPECT_EQ(kernel_labels(Names{"_Z1fIiLi2EEvv", "_Z1fIiLi3EEvv"}), (Labels{"f<…, 2>", "f<…, 3>"}));
}

TEST(KernelLabels, OneInstanceKeepsItsShortName) {
  EXPECT_EQ(kernel_labels(Names{reduce_once}), Labels{"splitKreduce_kernel"});
}

TEST(KernelLabels, ListsOfDifferentLengthDifferAtTheirEnd) {
  EXPECT_EQ(kernel_labels(Names{"void f<int, 2>()", "void f<int>()", "void f()"}),
            (Labels{"f<int, 2>", "f<int>", "f"}));
  EXPECT_EQ(kernel_labels(Names{"void f<1, 2, 3, 4>()", "void f<1, 5, 3, 6>()"}),
            (Labels{"f<…, 2, …, 4>", "f<…, 5, …, 6>"}));
}

TEST(KernelLabels, OverloadsWithoutTemplateArgumentsKeepTheName) {
  EXPECT_EQ(kernel_labels(Names{"f(int)", "f(float)"}), (Labels{"f", "f"}));
  EXPECT_EQ(kernel_labels({}), Labels{});
}

}  // namespace
}  // namespace warpwalk::analysis
