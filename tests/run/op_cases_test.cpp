// The cases of tests/ops/pytorch on the simulated GPU, as PTX and as machine code, each op of them against the cpu
// backend within the bounds of its definition, gradients included; and that they reach every kernel of the modules that
// they use. The sanitizer is on.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/dispatch/autograd.h"
#include "core/run/check/op_checker.h"
#include "tests/ops/pytorch_cases.h"
#include "tests/run/sim_library.h"

namespace warpwalk::run {
namespace {

using ops::DeviceKind;
using ops::Tensor;

/// The simulated GPU with a checker that sees every op and launch.
class CheckedSim {
 public:
  explicit CheckedSim(CodeChoice code)
      : device_(testing::h200()), sim_(device_, options(code), &checker_), dispatcher_(&checker_) {
    register_library(dispatcher_);
    register_gpu(dispatcher_, sim_);
    register_autograd(dispatcher_);
    dispatcher_.set_memory(sim_.memory());
  }

  std::vector<OpCheck> run(const ops::PyTorchCase& given) {
    const auto expression = std::get<ops::Expression>(ops::Expression::parse(given.text));
    std::vector<Tensor> inputs;
    for (const std::string& name : expression.names()) {
      const auto i =
          static_cast<std::size_t>(std::ranges::find(given.inputs, name, &ops::Variable::name) - given.inputs.begin());
      const ops::Variable& input = given.inputs[i];
      inputs.push_back(tensor_from(sim_.memory(), input.dtype, input.sizes, given.bytes(i)));
      if (is_float(input.dtype)) set_requires_grad(inputs.back());
    }
    const Tensor result = evaluate(expression, dispatcher_, inputs);
    if (requires_grad(result)) {
      const Tensor start = dispatcher_.call("aten::ones_like", {result});
      backward(dispatcher_, result, start);
    }
    return checker_.take();
  }

  std::map<std::string, std::set<std::string>> entries;  ///< launched, by module

 private:
  SimOptions options(CodeChoice code) {
    SimOptions options;
    options.code = code;
    options.cubin_folder = WARPWALK_SOURCE_DIR "/assets/cubin";
    options.ptx_folder = WARPWALK_SOURCE_DIR "/assets/ptx";
    options.source_folder = WARPWALK_SOURCE_DIR "/kernels";
    options.simulate.sanitize = true;
    options.before = [this](const PlannedLaunch& launch) {
      entries[launch.module].insert(launch.entry);
      checker_.launches(launch);
    };
    return options;
  }

  OpChecker checker_{{}};
  gpu::Device device_;
  SimBackend sim_;
  ops::Dispatcher dispatcher_;
};

std::string code_name(const ::testing::TestParamInfo<CodeChoice>& info) {
  return info.param == CodeChoice::ptx ? "ptx" : "sass";
}

class OpCases : public ::testing::TestWithParam<CodeChoice> {};
INSTANTIATE_TEST_SUITE_P(Code, OpCases, ::testing::Values(CodeChoice::ptx, CodeChoice::sass), code_name);

TEST_P(OpCases, KernelsKeepToTheBoundsOfTheirOps) {
  std::map<std::string, std::set<std::string>> entries;
  std::set<std::string> files;
  for (const ops::PyTorchCase& given : ops::pytorch_cases()) {
    if (given.want.refused || given.autocast) continue;
    SCOPED_TRACE(given.name());
    files.insert(given.file);
    CheckedSim sim(GetParam());
    try {
      for (const OpCheck& check : sim.run(given))
        EXPECT_EQ(check.mismatches, 0u) << check.op << " by " << check.kernel << ": off by " << check.max_abs_error
                                        << ", " << check.max_error_share << " of the allowed error, " << check.allowed;
    } catch (const ops::OpError& error) {
      ADD_FAILURE() << error.what();
    }
    for (const auto& [module, launched] : sim.entries) entries[module].insert(launched.begin(), launched.end());
  }
  EXPECT_FALSE(files.empty());
  // Cases reach every entry of each module that the definition of such an op names.
  for (const auto& [module, launched] : entries) {
    if (std::set<std::string>{"unary", "unary_strided", "binary", "binary_strided", "sum", "copy", "copy_strided",
                              "fill", "mm", "mv", "number", "number_strided", "threshold_backward"}
            .contains(module))
      continue;  // catalogue_test.cpp
    std::ifstream file(std::string(WARPWALK_SOURCE_DIR "/assets/ptx/") + module + ".ptx");
    for (std::string line; std::getline(file, line);) {
      constexpr std::string_view begin = ".visible .entry ";
      if (!line.starts_with(begin)) continue;
      const std::string entry = line.substr(begin.size(), line.find('(') - begin.size());
      EXPECT_TRUE(launched.contains(entry)) << module << "/" << entry;
    }
  }
}

}  // namespace
}  // namespace warpwalk::run
