#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/ops/tensor/dtype.h"
#include "core/run/expression/run_expression.h"

namespace warpwalk::testing {

inline std::filesystem::path assets() { return std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets"; }

inline ops::Variable variable(const std::string& name, const ops::Sizes& sizes, ops::DType dtype = ops::DType::f32) {
  return {name, dtype, sizes};
}

/// A request on the simulated H200, or on the CPU with a clock that advances 100 ns per reading.
inline run::RunRequest request(const std::string& expression, std::vector<ops::Variable> inputs,
                               run::Target on = run::Target::sim) {
  run::RunRequest request;
  request.expression = expression;
  request.inputs = std::move(inputs);
  request.on = on;
  request.device = *gpu::load_device(assets() / "devices" / "h200.json");
  request.threads = 2;
  request.assets = assets();
  request.now_ns = [now = std::int64_t{0}]() mutable { return now += 100; };
  return request;
}

inline run::RunResult result_of(const run::RunRequest& request) {
  auto ran = run::run_expression(request);
  if (const auto* const error = std::get_if<run::RunError>(&ran)) {
    ADD_FAILURE() << request.expression << ": " << error->line;
    return {};
  }
  return std::move(std::get<run::RunResult>(ran));
}

}  // namespace warpwalk::testing
