#include "core/run/check/op_checker.h"

#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/library/library.h"

namespace warpwalk::run {
namespace {

/// A tensor of the same sizes that holds |x| of each element, in f64.
ops::Tensor sizes_of_elements(const ops::Tensor& tensor, ops::Memory& memory) {
  std::vector<double> values = values_of(tensor);
  for (double& value : values) value = std::abs(value);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return tensor_from(memory, ops::DType::f64, tensor.sizes(), {bytes, values.size() * sizeof(double)});
}

std::vector<std::uint8_t> bytes_in(const ops::Storage& storage) {
  std::vector<std::uint8_t> bytes(storage.bytes());
  if (!bytes.empty()) storage.memory().read(storage.address(), bytes);
  return bytes;
}

}  // namespace

OpChecker::OpChecker(std::optional<ops::DType> autocast) {
  reference_.set_memory(memory_);
  reference_.set_grad_enabled(false);
  register_library(reference_);
  register_cpu(reference_);
  if (!autocast) return;
  register_autocast(reference_, *autocast);
  autocast_.emplace(reference_, ops::KeySet(ops::Key::AutocastCPU), ops::KeySet());
}

void OpChecker::op_begins(const ops::Call& call) {
  frames_.push_back({std::string(call.name()), call.arguments, {}, {}});
}

void OpChecker::launches(const PlannedLaunch& launch) {
  if (frames_.empty() || !frames_.back().kernel.empty() || failed_) return;
  Frame& frame = frames_.back();
  frame.kernel = launch.entry;
  Storages storages;
  for (const ops::Argument& argument : frame.arguments) frame.copies.push_back(copy_of(argument, storages));
}

// Copies of views share storage as the originals do. An in-place op therefore changes only the copy of its input.
ops::Argument OpChecker::copy_of(const ops::Argument& argument, Storages& storages) {
  const auto* const tensor = std::get_if<ops::Tensor>(&argument);
  if (tensor == nullptr || !tensor->defined()) return argument;
  const ops::Storage& storage = *tensor->storage();
  std::shared_ptr<ops::Storage>& copy = storages[&storage];
  if (copy == nullptr) {
    copy = std::make_shared<ops::Storage>(memory_, storage.bytes());
    recall(*tensor);
    const std::vector<std::uint8_t> bytes = bytes_in(storage);
    if (!bytes.empty()) memory_.write(copy->address(), bytes);
  }
  return ops::Tensor(copy, tensor->dtype(), tensor->geometry(), tensor->layout());
}

// Also called while an exception unwinds: must not throw.
void OpChecker::op_ends(const ops::Tensor& result) {
  if (frames_.empty()) return;
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (frame.kernel.empty() || !result.defined() || failed_) return;
  try {
    check(frame, result);
    remember(result);
  } catch (...) {
    failed_ = std::current_exception();
  }
}

void OpChecker::check(const Frame& frame, const ops::Tensor& result) {
  const std::int64_t terms = terms_of(frame.op, frame.copies, result.count());
  const CheckRule rule = rule_of(frame.op, result.dtype(), terms);
  std::vector<double> sizes;
  if (rule.kind == CheckRule::Kind::sums) {
    std::vector<ops::Argument> arguments;
    for (const ops::Argument& argument : frame.copies) {
      const auto* const tensor = std::get_if<ops::Tensor>(&argument);
      if (std::holds_alternative<ops::DType>(argument))
        arguments.emplace_back(ops::None{});
      else
        arguments.push_back(tensor != nullptr ? sizes_of_elements(*tensor, memory_) : argument);
    }
    sizes = values_of(reference_.call(frame.op, std::move(arguments)));
  }
  const ops::Tensor want = reference_.call(frame.op, frame.copies);
  if (rule.kind == CheckRule::Kind::bounds) {
    ops::Call call;
    call.op = reference_.find(frame.op);
    call.arguments = frame.copies;
    sizes = ops::find_definition(frame.op)->accuracy.bounds(
        {call, want, [](const ops::Tensor&) { return std::vector<double>(); }});
  }
  if (want.dtype() != result.dtype() || want.sizes() != result.sizes())
    throw ops::OpError(fmt::format("{}: the GPU gives {} {} and the cpu gives {} {}: one of the two backends is wrong",
                                   frame.op, ops::shape_text(result.sizes()), name_of(result.dtype()),
                                   ops::shape_text(want.sizes()), name_of(want.dtype())));
  const Judged judged = judge(rule, result.dtype(), bytes_of(result), bytes_of(want), sizes);
  checks_.push_back({std::string(ops::without_overload(frame.op)), frame.kernel,
                     static_cast<std::uint64_t>(result.count()), judged.mismatches, judged.max_abs_error,
                     judged.max_error_share, rule.allowed, rule.reason});
}

void OpChecker::remember(const ops::Tensor& tensor) {
  known_[tensor.storage().get()] = {tensor.storage(), base::sha256(bytes_in(*tensor.storage()))};
}

void OpChecker::recall(const ops::Tensor& tensor) {
  const auto at = known_.find(tensor.storage().get());
  if (at == known_.end() || at->second.storage.expired()) return;
  ++recalled_;
  if (at->second.sha256 != base::sha256(bytes_in(*tensor.storage()))) ++changed_;
}

std::vector<OpCheck> OpChecker::take() {
  if (failed_) std::rethrow_exception(failed_);
  if (recalled_ > 0)
    checks_.push_back(
        {"between ops", "", recalled_, changed_, 0, changed_ == 0 ? 0 : std::numeric_limits<double>::infinity(),
         "to the bit",
         "when it was read, each tensor still held the elements that it was filled with or that the last op wrote"});
  return std::move(checks_);
}

std::string check_text(const OpCheck& check) {
  const std::string_view things = check.kernel.empty() && check.op == "between ops" ? "tensors" : "elements";
  if (check.mismatches != 0)
    return fmt::format("MISMATCH: {} of {} {} differ from the cpu by more than allowed ({}), by at most {:.3g}",
                       check.mismatches, check.elements, things, check.allowed, check.max_abs_error);
  if (check.max_abs_error == 0) return fmt::format("{} {}, all equal to the bit", check.elements, things);
  if (check.max_error_share == 0)
    return fmt::format("{} {}, largest difference {:.3g}", check.elements, things, check.max_abs_error);
  return fmt::format("{} {}, largest error {:.3g}: {:.1f} % of the allowed error ({})", check.elements, things,
                     check.max_abs_error, 100 * check.max_error_share, check.allowed);
}

}  // namespace warpwalk::run
