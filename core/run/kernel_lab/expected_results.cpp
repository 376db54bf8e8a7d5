#include "core/run/kernel_lab/expected_results.h"

#include <algorithm>

#include "core/run/launch/bind.h"

namespace warpwalk::run {
namespace {

double trusted_rtol(ops::DType dtype) {
  switch (dtype) {
    case ops::DType::f16:
    case ops::DType::bf16: return 1e-2;
    case ops::DType::f32: return 1e-5;
    case ops::DType::f64: return 1e-12;
    default: return 0;
  }
}

}  // namespace

std::vector<ResultCheck> check_results(const DraftRun& run, const std::vector<DraftExpectation>& expected) {
  std::vector<ResultCheck> checks;
  const std::vector<BufferSpec>& buffers = run.loaded.file.buffers;
  for (const DraftExpectation& one : expected) {
    ResultCheck& check = checks.emplace_back(ResultCheck{one.buffer, true, {}});
    const auto found = std::ranges::find(buffers, one.buffer, &BufferSpec::name);
    check.same_size = found != buffers.end() && found->bytes() == one.bytes.size();
    if (!check.same_size) continue;
    const auto& bytes = run.loaded.launch.buffers[static_cast<std::size_t>(found - buffers.begin())].bytes;
    check.comparison = compare(found->dtype, bytes, one.bytes, {one.rtol, one.atol});
  }
  return checks;
}

std::vector<DraftExpectation> trusted_results(const DraftRun& run) {
  std::vector<DraftExpectation> expected;
  const std::vector<BufferSpec>& buffers = run.loaded.file.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const gpu::Buffer& buffer = run.loaded.launch.buffers[i];
    if (!buffers[i].variable.empty() || std::holds_alternative<StructSpec>(buffers[i].content)) continue;  // addresses
    const auto before = initial_content_of(buffers[i], run.loaded.path.parent_path());
    const bool unchanged = before && *before == buffer.bytes;
    const double rtol = trusted_rtol(buffers[i].dtype);
    if (!unchanged) expected.push_back({buffers[i].name, buffer.bytes, rtol, rtol / 10});
  }
  return expected;
}

}  // namespace warpwalk::run
