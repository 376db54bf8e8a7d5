#include "instrumentation/armed/ops.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/crash/call_ring.h"
#include "tests/instrumentation/fake_torch.h"

namespace warpwalk::armed {
namespace {

/// Launches kernels in the fake operators, and keeps the texts of their operators.
class OpsOfLaunches : public ::testing::Test {
 protected:
  OpsOfLaunches() : file_(std::filesystem::temp_directory_path() / ("warpwalk_ops." + std::to_string(getpid()))) {
    ring_ = Ring::create(file_);
    current_ = this;
  }
  ~OpsOfLaunches() override { std::filesystem::remove(file_); }

  static void launch() {
    current_->texts_.push_back(current_->ops_.op_of(*current_->ring_, {.thread = 1, .kernel = 7, .with_node = true}));
  }
  static void launch_forward() {
    current_->texts_.push_back(current_->ops_.op_of(*current_->ring_, {.thread = 1, .kernel = 7}));
  }
  std::vector<std::string> ops() const {
    std::ifstream in(file_, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto ring = crash::CallRing::read(bytes);
    EXPECT_TRUE(ring);
    std::vector<std::string> names;
    for (const std::uint32_t text : texts_) names.emplace_back(ring ? ring->text(text) : "");
    return names;
  }

  static inline OpsOfLaunches* current_ = nullptr;
  std::filesystem::path file_;
  std::unique_ptr<Ring> ring_;
  Ops ops_;
  std::vector<std::uint32_t> texts_;
};

#ifdef __x86_64__
TEST_F(OpsOfLaunches, AreReadFromTheStack) {
  ASSERT_NE(ring_, nullptr);
  launch();
  EXPECT_EQ(texts_, std::vector<std::uint32_t>{0}) << "before the functions are known";
  texts_.clear();
  ops_.start("aten::relu\naten::sum.dim_IntList\nprims::sum\n");
  torch::autograd::generated::SumBackward0 node;
  // The second time, the chain of callers is known; the two operators launch the same kernel at the same depth.
  for (int time = 0; time < 2; ++time) {
    at::_ops::sum_dim_IntList::call(&launch);
    at::_ops::relu::redispatch(&launch);
    at::_ops::relu::redispatch(&launch_forward);
    node.apply({}, &launch);
    node.apply({1}, &launch);
    node.apply({1}, &launch_forward);
    launch();
  }
  std::vector<std::string> expected = {"aten::sum.dim_IntList",
                                       "aten::relu",
                                       "aten::relu",
                                       "aten::sum.dim_IntList in SumBackward0",
                                       "aten::relu in SumBackward0",
                                       "aten::relu",
                                       ""};
  const std::vector<std::string> once = expected;
  expected.insert(expected.end(), once.begin(), once.end());
  EXPECT_EQ(ops(), expected);
}

TEST_F(OpsOfLaunches, HaveTheirClassesNamesIfPytorchDoesNotTell) {
  ops_.start("");
  at::_ops::sum_dim_IntList::call(&launch);
  EXPECT_EQ(ops(), std::vector<std::string>{"at::_ops::sum_dim_IntList"});
}
#endif

}  // namespace
}  // namespace warpwalk::armed
