#include "core/run/expression/run_expression.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/quantity_text.h"
#include "core/ops/cpu/memory.h"
#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"
#include "core/platform/available_memory.h"
#include "core/run/check/op_checker.h"
#include "core/run/check/whole_check.h"
#include "core/run/expression/describe_run.h"
#include "core/run/expression/run_backend.h"
#include "core/run/expression/run_observer.h"
#include "core/run/launch/bind.h"
#include "core/run/launch/compare.h"
#include "core/run/launch/generate.h"
#include "core/run/record/launch_trace.h"
#include "core/trace/link.h"

namespace warpwalk::run {
namespace {

using ops::Tensor;

/// Checks that the given elements are those of inputs, and complete.
base::Result<void> check_given(const RunRequest& request) {
  for (const auto& [name, elements] : request.given) {
    const auto input = std::ranges::find(request.inputs, name, &ops::Variable::name);
    if (input == request.inputs.end())
      return base::Error{
          fmt::format("{} has elements, but no shape; give one, for example --shape {}=256x256", name, name)};
    if (elements.size() != input_bytes(*input))
      return base::Error{fmt::format("{} has {} bytes of elements; {} {} takes {}", name, elements.size(),
                                     ops::shape_text(input->sizes), name_of(input->dtype), input_bytes(*input))};
  }
  return {};
}

/// Checks the inputs; returns a one-line error, or nullopt.
base::Result<void> check_inputs(const RunRequest& request, const std::vector<std::string>& names) {
  std::set<std::string_view> given;
  if (names.empty()) return {};  // only numbers: ops::check reports their position
  for (const ops::Variable& input : request.inputs) {
    if (std::ranges::find(names, input.name) == names.end())
      return base::Error{fmt::format("{} has a shape, but is not in {}; the names are {}", input.name,
                                     request.expression, fmt::join(names, ", "))};
    if (!given.insert(input.name).second) return base::Error{fmt::format("{} has two shapes; give one", input.name)};
    if (!ops::is_tensor_dtype(input.dtype))
      return base::Error{
          fmt::format("{} is {}; tensors are f16, bf16, f32, f64, i32 or i64", input.name, name_of(input.dtype))};
  }
  if (auto done = check_given(request); !done) return done;
  if (request.gradients && !given.empty() &&
      std::ranges::none_of(request.inputs, [](const ops::Variable& input) { return is_float(input.dtype); }))
    return base::Error{
        fmt::format("--gradients: only floating-point names have a gradient, but {} is {}; give it --dtype f32",
                    request.inputs.front().name, name_of(request.inputs.front().dtype))};
  std::vector<std::string> missing;
  for (const std::string& name : names)
    if (!given.contains(name)) missing.push_back(name);
  // A single name may be misspelt, or be a function without parentheses; ops::check reports its position.
  if (missing.empty() || (missing.size() == 1 && !given.empty())) return {};
  std::string options;
  for (const std::string& name : missing) options += fmt::format(" --shape {}=256x256", name);
  return base::Error{fmt::format("{} {} no shape; give one, for example{}", fmt::join(missing, " and "),
                                 missing.size() == 1 ? "has" : "have", options)};
}

/// Compares the memory that the run needs with what this machine has left.
base::Result<void> check_memory(const RunRequest& request, const ops::Expression& expression) {
  double inputs = 0;
  for (const ops::Variable& input : request.inputs) inputs += static_cast<double>(input_bytes(input));
  const ops::LargestTensor largest = largest_made(expression, request.inputs);
  // Memory for an op's two operands and its result, each as large as the largest tensor. Gradients double this.
  const double tensors = (request.gradients ? 2 : 1) * (inputs + 3 * largest.bytes);
  // The same on the cpu, plus values and bounds of an op's operands, its result and its storage as doubles.
  const double checks = request.on == Target::cpu ? 0 : tensors + 6 * 8 * largest.elements;
  const auto available = static_cast<double>(platform::available_memory());
  if (tensors + checks <= available) return {};
  return base::Error{fmt::format("the tensors take up to {}{}, but this machine has {} left; give smaller shapes",
                                 base::bytes_text(tensors),
                                 checks > 0 ? fmt::format(" and their checks {} more", base::bytes_text(checks)) : "",
                                 base::bytes_text(available))};
}

/// Computes the expression and sets up everything it needs. Throws ops::OpError.
RunResult compute(const RunRequest& request, const ops::Expression& expression, ops::Variable result_of,
                  GpuBackend* gpu, bool check) {
  RunResult done;
  done.result = std::move(result_of);
  RunObserver observer(request, clock_of(request), check);
  WalkRecorder& recorder = observer.recorder();
  ops::Dispatcher dispatcher(&observer);
  RunBackend backend(request, gpu, dispatcher, observer, done.launches);
  register_library(dispatcher);
  backend.register_functions();
  register_autograd(dispatcher);
  std::optional<ops::Dispatcher::Guard> autocast;
  if (request.autocast) {
    register_autocast(dispatcher, *request.autocast);
    const bool on_cpu = request.on == Target::cpu;
    autocast.emplace(dispatcher, ops::KeySet(on_cpu ? ops::Key::AutocastCPU : ops::Key::AutocastCUDA), ops::KeySet());
  }

  const std::vector<std::string> names = expression.names();
  std::vector<Tensor> inputs;
  for (const std::string& name : names) {
    const RunInput input = make_input(request, dispatcher, backend.kind(), name);
    observer.input(input, name);
    inputs.push_back(input.tensor);
  }

  recorder.expression_begins(request.expression);
  const Tensor result = evaluate(expression, dispatcher, inputs);
  if (request.gradients) backward_from_sum(dispatcher, result);
  if (request.on != Target::cpu) {
    recorder.synchronize_begins();
    backend.synchronize();
    recorder.synchronize_ends();
  }
  recorder.expression_ends();

  std::vector<Tensor> results = {result};
  const auto is_input = [&](const Tensor& tensor) { return tensor.storage() == result.storage(); };
  if (std::ranges::none_of(inputs, is_input)) recorder.name(result, "result");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor gradient = grad_of(inputs[i]);
    if (!gradient.defined()) continue;
    recorder.name(gradient, fmt::format("gradient of {}", names[i]));
    done.gradients.emplace_back(names[i], bytes_of(gradient));
    results.push_back(gradient);
  }
  done.result.dtype = result.dtype();
  done.bytes = bytes_of(result);
  done.checks = observer.take_checks(results);
  if (check) {
    // If every op matched the cpu bit for bit, the whole result must match too.
    const bool exact = std::ranges::all_of(done.checks, [](const OpCheck& c) { return c.max_error_share == 0; });
    const WholeRun whole{expression, request, request.autocast, request.cancel, done.bytes, done.gradients, exact};
    for (OpCheck& row : check_whole(whole)) done.checks.push_back(std::move(row));
  }
  done.trace = recorder.take();
  describe(request, done.result, done.trace);
  return done;
}

/// Both runs on a GPU must give the same bits: no kernel adds in a varying order.
OpCheck check_again(const RunRequest& request, const RunResult& checked, const RunResult& recorded) {
  OpCheck check;
  check.op = "recorded run";
  const auto add = [&](ops::DType dtype, const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& want) {
    const Comparison compared = compare(dtype, got, want, {});
    check.elements += got.size() / bytes_of(dtype);
    check.mismatches += compared.mismatches;
    check.max_abs_error = std::max(check.max_abs_error, compared.max_abs_error);
  };
  add(recorded.result.dtype, recorded.bytes, checked.bytes);
  for (std::size_t i = 0; i < recorded.gradients.size(); ++i) {
    const auto& [name, gradient] = recorded.gradients[i];
    add(std::ranges::find(request.inputs, name, &ops::Variable::name)->dtype, gradient, checked.gradients.at(i).second);
  }
  if (check.mismatches > 0) check.max_error_share = std::numeric_limits<double>::infinity();
  check.allowed = "to the bit";
  check.reason = "the recorded run gave the same result as the checked run";
  return check;
}

/// On a real GPU, checking waits for every op, which the record must not show. The expression therefore runs twice:
/// once checked, once recorded. The origin of buffer contents is taken from the first run, since both runs allocate and
/// launch in the same order.
RunResult compute_twice(const RunRequest& request, const ops::Expression& expression, const ops::Variable& result_of,
                        GpuBackend& gpu) {
  const auto stage = [&](const char* what) {
    if (request.progress) request.progress(what, 0, 0);
  };
  stage("checking each op against the cpu");
  RunResult checked = compute(request, expression, result_of, &gpu, true);
  if (request.placement) {
    stage("finding out where blocks run");
    gpu.probe_placement(true);
    compute(request, expression, result_of, &gpu, false);
    gpu.probe_placement(false);
  }
  stage("recording the run");
  RunResult recorded = compute(request, expression, result_of, &gpu, false);
  std::vector<trace::KernelRecord>& kernels = recorded.trace.records.kernels;
  std::vector<trace::KernelRecord>& known = checked.trace.records.kernels;
  for (std::size_t i = 0; i < std::min(kernels.size(), known.size()); ++i) {
    kernels[i].buffers = std::move(known[i].buffers);
    kernels[i].digests = std::move(known[i].digests);
  }
  stage("reading the GPU's records");
  gpu.complete(recorded.trace);
  complete_modules(request, gpu.compute_capability(), recorded.trace.records);
  recorded.checks = std::move(checked.checks);
  recorded.checks.push_back(check_again(request, checked, recorded));
  return recorded;
}

}  // namespace

bool RunResult::good() const {
  return std::ranges::all_of(checks, [](const OpCheck& check) { return check.mismatches == 0; });
}

std::variant<RunResult, RunError> run_expression(const RunRequest& request, GpuBackend* gpu) {
  const auto refused = [](std::string line) { return RunError{{}, std::move(line), false}; };
  auto parsed = ops::Expression::parse(request.expression);
  if (auto* const error = std::get_if<ops::ExpressionError>(&parsed)) return RunError{*error, error->message, false};
  const auto& expression = std::get<ops::Expression>(parsed);
  if (auto done = check_inputs(request, expression.names()); !done) return refused(done.error());
  auto checked = ops::check(expression, request.inputs);
  if (auto* const error = std::get_if<ops::ExpressionError>(&checked)) return RunError{*error, error->message, false};
  auto& result = std::get<ops::Variable>(checked);
  if (auto done = check_memory(request, expression); !done) return refused(done.error());
  if (auto done = check_place(request, gpu); !done) return refused(done.error());
  try {
    RunResult done = gpu != nullptr ? compute_twice(request, expression, result, *gpu)
                                    : compute(request, expression, result, nullptr, request.on != Target::cpu);
    trace::Problems problems;  // only kernels without a time, which readers of the file report
    trace::link(done.trace, problems);
    return done;
  } catch (const ops::OpError& error) {
    const bool cancelled = request.cancel != nullptr && *request.cancel;
    return RunError{{}, cancelled ? "stopped before the end" : error.what(), cancelled};
  }
}

}  // namespace warpwalk::run
