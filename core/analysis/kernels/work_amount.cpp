#include "core/analysis/kernels/work_amount.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include "core/analysis/kernels/helper_kernel.h"
#include "core/analysis/kernels/kernel_category.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::StringId;

const trace::OpDetail& detail_of(const Trace& trace, SliceId op) { return trace.ops[trace.slices.detail[op]]; }

OpWork work_of_op(const Trace& trace, SliceId op) {
  return op_work(trace.name(op), op_arguments(trace, detail_of(trace, op)));
}

// A kernel of an op.
struct OpKernel {
  SliceId op = no_slice;
  SliceId kernel = no_slice;
};

// All launches of one kernel name in an op.
struct NamedTime {
  StringId name = 0;
  std::int64_t time = 0;
  std::size_t launches = 0;
};

std::vector<NamedTime> times_by_name(const Trace& trace, std::span<const OpKernel> kernels) {
  std::vector<NamedTime> names;
  std::unordered_map<StringId, std::size_t> places;
  for (const OpKernel& one : kernels) {
    const auto [place, is_new] = places.try_emplace(trace.slices.name[one.kernel], names.size());
    if (is_new) names.push_back({place->first, 0, 0});
    names[place->second].time += std::max<std::int64_t>(0, trace.slices.duration[one.kernel]);
    ++names[place->second].launches;
  }
  std::ranges::stable_sort(names, std::ranges::greater{}, &NamedTime::time);
  return names;
}

// Products, convolutions and attention: kernels of other kinds stand beside the one that computes them.
bool is_of_products(WorkRule rule) { return rule >= WorkRule::product && rule <= WorkRule::attention_backward_causal; }

bool is_of_convolution(WorkRule rule) {
  return rule == WorkRule::convolution || rule == WorkRule::convolution_backward;
}

// Winograd's and Fourier's transforms stand before and after the product between them, which has the name of any
// product.
bool is_fast_convolution(const Trace& trace, std::span<const OpKernel> kernels, std::size_t at) {
  const std::string_view name = trace.name(kernels[at].kernel);
  if (is_fast_convolution_kernel(name)) return true;
  if (category_of_name(name) == WorkCategory::convolution) return false;
  const std::size_t first = at == 0 ? 0 : at - 1, last = std::min(at + 2, kernels.size());
  return std::ranges::any_of(kernels.subspan(first, last - first),
                             [&](const OpKernel& one) { return is_fast_convolution_kernel(trace.name(one.kernel)); });
}

// Divides an op's work among its kernels, and calls add(kernel, amount) for each.
template <class Add>
void divide(const Trace& trace, SliceId op, const OpWork& work, std::span<const OpKernel> kernels, const Add& add) {
  std::vector<NamedTime> names = times_by_name(trace, kernels);
  if (is_of_products(work.rule))
    std::erase_if(names, [&](const NamedTime& one) { return is_helper_kernel(trace.text(one.name)); });
  names.resize(std::min(names.size(), static_cast<std::size_t>(work.products)));
  if (names.empty()) return;  // the kernel that computes is not in the trace
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const OpKernel& one = kernels[i];
    WorkAmount amount;
    amount.op = op;
    const auto at = std::ranges::find(names, trace.slices.name[one.kernel], &NamedTime::name);
    if (at == names.end()) {
      amount.counted_elsewhere = true;
    } else {
      const auto time = static_cast<double>(std::max<std::int64_t>(0, trace.slices.duration[one.kernel]));
      const double of_name =
          at->time > 0 ? time / static_cast<double>(at->time) : 1.0 / static_cast<double>(at->launches);
      const double part = of_name / static_cast<double>(names.size());
      amount.rule = work.rule;
      amount.math = work.math;
      amount.fewer = is_of_convolution(work.rule) && is_fast_convolution(trace, kernels, i);
      if (work.flops) amount.flops = *work.flops * part;
      if (work.bytes) amount.bytes = *work.bytes * part;
    }
    add(one.kernel, amount);
  }
}

WorkAmount recorded_amount(const Trace& trace, SliceId transfer) {
  WorkAmount amount;
  const std::int64_t bytes = trace.transfers[trace.slices.detail[transfer]].bytes;
  if (bytes == trace::absent || bytes < 0) return amount;
  amount.rule = WorkRule::recorded;
  amount.bytes = static_cast<double>(bytes);
  return amount;
}

bool is_transfer(trace::SliceKind kind) { return kind == trace::SliceKind::memcpy || kind == trace::SliceKind::memset; }

// The kernels of one op: those whose innermost op it is.
std::vector<OpKernel> kernels_of_op(const Trace& trace, SliceId op) {
  std::vector<OpKernel> kernels;
  const trace::TrackId track = trace.slices.track[op];
  const std::int64_t end = trace.slices.end(op);
  for (std::size_t i = trace::first_launched(trace, op); i < trace.launched.size(); ++i) {
    const auto& [launch, work] = trace.launched[i];
    if (trace.slices.track[launch] != track || trace.slices.start[launch] > end) break;
    if (trace.slices.kind[work] == trace::SliceKind::kernel && trace::op_of(trace, work) == op)
      kernels.push_back({op, work});
  }
  return kernels;
}

// Which names of ops have a rule, each looked up once.
class RuleIndex {
 public:
  explicit RuleIndex(const Trace& trace) : trace_(trace) {}
  bool operator()(SliceId op) {
    const auto [place, is_new] = has_.try_emplace(trace_.slices.name[op], false);
    if (is_new) place->second = has_work_rule(trace_.name(op));
    return place->second;
  }

 private:
  const Trace& trace_;
  std::unordered_map<StringId, bool> has_;
};

// The work of ops with the same name and arguments is computed once.
class OpWorkCache {
 public:
  explicit OpWorkCache(const Trace& trace) : trace_(trace) {}
  const OpWork& operator()(SliceId op) {
    const trace::OpDetail& detail = detail_of(trace_, op);
    const Key key = {trace_.slices.name[op], detail.input_dims, detail.input_strides, detail.input_types,
                     detail.concrete_inputs};
    const auto [place, is_new] = known_.try_emplace(key);
    if (is_new) place->second = work_of_op(trace_, op);
    return place->second;
  }

 private:
  using Key = std::array<StringId, 5>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      std::size_t hash = 0;
      for (const StringId part : key) hash = hash * 0x9E3779B97F4A7C15u + part;
      return hash ^ (hash >> 29);
    }
  };
  const Trace& trace_;
  std::unordered_map<Key, OpWork, KeyHash> known_;
};

}  // namespace

WorkAmount work_amount(const Trace& trace, SliceId gpu_work) {
  const trace::SliceKind kind = trace.slices.kind[gpu_work];
  if (is_transfer(kind)) return recorded_amount(trace, gpu_work);
  if (kind != trace::SliceKind::kernel) return {};
  const SliceId op = trace::op_of(trace, gpu_work);
  if (op == no_slice) return {};
  const OpWork work = work_of_op(trace, op);
  WorkAmount found;
  if (!work.known()) return found;
  divide(trace, op, work, kernels_of_op(trace, op), [&](SliceId kernel, const WorkAmount& amount) {
    if (kernel == gpu_work) found = amount;
  });
  return found;
}

WorkAmounts::WorkAmounts(const Trace& trace) : trace_(trace) {
  std::vector<OpKernel> all;
  RuleIndex has_rule(trace);
  for (const auto& [launch, work] : trace.launched) {
    if (trace.slices.kind[work] != trace::SliceKind::kernel) continue;
    const SliceId op = trace::op_of(trace, work);
    if (op != no_slice && has_rule(op)) all.push_back({op, work});
  }
  std::ranges::stable_sort(all, {}, &OpKernel::op);
  OpWorkCache cache(trace);
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first + 1;
    while (last < all.size() && all[last].op == all[first].op) ++last;
    if (const OpWork& work = cache(all[first].op); work.known())
      divide(trace, all[first].op, work, std::span(all).subspan(first, last - first),
             [&](SliceId kernel, const WorkAmount& amount) { kernels_.emplace_back(kernel, amount); });
    first = last;
  }
  std::ranges::sort(kernels_, {}, &std::pair<SliceId, WorkAmount>::first);
}

WorkAmount WorkAmounts::of(SliceId gpu_work) const {
  if (is_transfer(trace_.slices.kind[gpu_work])) return recorded_amount(trace_, gpu_work);
  const auto at = std::ranges::lower_bound(kernels_, gpu_work, {}, &std::pair<SliceId, WorkAmount>::first);
  return at != kernels_.end() && at->first == gpu_work ? at->second : WorkAmount{};
}

}  // namespace warpwalk::analysis
