#include "core/run/check/whole_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"
#include "core/run/check/check_rule.h"
#include "core/run/check/error_bounds.h"

namespace warpwalk::run {
namespace {

using ops::Tensor;

/// Throws between ops if the run is cancelled.
class Stopper : public ops::Observer {
 public:
  explicit Stopper(const std::atomic<bool>* cancel) : cancel_(cancel) {}
  void op_begins(const ops::Call&) override {
    if (cancel_ != nullptr && *cancel_) throw ops::OpError("stopped");
  }

 private:
  const std::atomic<bool>* cancel_;
};

/// The largest bound, and the number of elements without one.
struct Allowed {
  double maximum = 0;
  std::uint64_t unbounded = 0;
};

/// Compares with the values of `want`. `errors`: the allowed error of each element; empty: the bits must be equal.
Allowed compare_within(OpCheck& check, const Tensor& want, std::span<const std::uint8_t> got,
                       const std::vector<double>& errors) {
  const std::vector<std::uint8_t> bytes = bytes_of(want);
  if (got.size() != bytes.size())
    throw ops::OpError(fmt::format("{}: {} B on the GPU and {} B on the cpu: one of the two backends is wrong",
                                   check.op, got.size(), bytes.size()));
  const ops::DType dtype = want.dtype();
  const std::size_t step = bytes_of(dtype);
  Allowed allowed;
  for (std::size_t i = 0; i < check.elements; ++i) {
    const double error = errors.empty() ? 0 : errors[i];
    if (std::isfinite(error))
      allowed.maximum = std::max(allowed.maximum, error);
    else
      ++allowed.unbounded;
    const std::span<const std::uint8_t> one = got.subspan(i * step, step), other(bytes.data() + i * step, step);
    if (std::ranges::equal(one, other)) continue;
    double distance = infinite;  // if no difference is allowed
    if (is_float(dtype)) {
      const double a = float_value(dtype, load_bits(dtype, one.data()));
      const double b = float_value(dtype, load_bits(dtype, other.data()));
      if (std::isnan(a) && std::isnan(b)) continue;
      const bool finite = std::isfinite(a) && std::isfinite(b);
      if (finite) check.max_abs_error = std::max(check.max_abs_error, std::abs(a - b));
      if (finite && error > 0) distance = std::abs(a - b) / error;
    }
    if (!std::isfinite(error)) continue;
    check.max_error_share = std::max(check.max_error_share, distance);
    if (!(distance <= 1)) ++check.mismatches;
  }
  return allowed;
}

OpCheck compared(std::string what, const Tensor& want, std::span<const std::uint8_t> got,
                 const std::vector<double>& errors) {
  OpCheck check;
  check.op = std::move(what);
  check.elements = static_cast<std::uint64_t>(want.count());
  const Allowed allowed = compare_within(check, want, got, errors);
  if (allowed.maximum == 0 && allowed.unbounded == 0) {
    check.allowed = "to the bit";
    check.reason = "no op leading to it gave, or may give, different bits on the GPU and the cpu";
    return check;
  }
  check.allowed = fmt::format("the combined bounds of its ops, at most {:.3g}", allowed.maximum);
  check.reason = "the allowed error of each op is carried through the ops after it (docs/run.md)";
  if (allowed.unbounded > 0)
    check.reason += fmt::format(
        "; {} elements have no bound (an overflow, a division by a value that may be 0, ...), so only the checks of "
        "the individual ops apply to them",
        allowed.unbounded);
  return check;
}

}  // namespace

std::vector<OpCheck> check_whole(const WholeRun& run) {
  ops::CpuMemory memory;
  Stopper stopper(run.cancel);
  ops::Dispatcher dispatcher(&stopper);
  dispatcher.set_memory(memory);
  register_library(dispatcher);
  register_cpu(dispatcher);
  register_autograd(dispatcher);
  ErrorBounds bounds(dispatcher);
  std::optional<ops::Dispatcher::Guard> autocast;
  if (run.autocast) {
    register_autocast(dispatcher, *run.autocast);
    autocast.emplace(dispatcher, ops::KeySet(ops::Key::AutocastCPU), ops::KeySet());
  }
  const std::vector<std::string> names = run.expression.names();
  std::vector<Tensor> inputs;
  for (const std::string& name : names)
    inputs.push_back(make_input(run.inputs, dispatcher, ops::DeviceKind::cpu, name).tensor);
  const Tensor result = evaluate(run.expression, dispatcher, inputs);
  if (run.inputs.gradients) backward_from_sum(dispatcher, result);

  const auto errors_of = [&](const Tensor& tensor) { return run.exact ? std::vector<double>() : bounds.of(tensor); };
  std::vector<OpCheck> checks = {compared("whole expression", result, run.result, errors_of(result))};
  std::size_t next = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Tensor gradient = grad_of(inputs[i]);
    const bool given = next < run.gradients.size() && run.gradients[next].first == names[i];
    if (given != gradient.defined())
      throw ops::OpError(fmt::format("{} has a gradient only on the {}: one of the two backends is wrong", names[i],
                                     given ? "GPU" : "cpu"));
    if (!given) continue;
    checks.push_back(compared("gradient of " + names[i], gradient, run.gradients[next].second, errors_of(gradient)));
    ++next;
  }
  return checks;
}

}  // namespace warpwalk::run
