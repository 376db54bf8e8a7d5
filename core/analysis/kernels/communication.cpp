#include "core/analysis/kernels/communication.h"

#include <algorithm>

#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;

// Beginnings of names of ops and ranges around a collective.
constexpr std::string_view beginnings_of_ops[] = {
    "c10d::", "_c10d_functional::", "c10d_functional::",  "nccl:",          "gloo:",
    "mpi:",   "symm_mem::",         "record_param_comms", "_C_custom_ar::",
};

// Ends of names of ops in the namespaces of libraries: vllm::all_reduce.
constexpr std::string_view ends_of_ops[] = {"::all_reduce", "::all_gather", "::reduce_scatter", "::all_to_all"};

bool is_collective_op(std::string_view name) {
  return std::ranges::any_of(beginnings_of_ops, [&](std::string_view one) { return name.starts_with(one); }) ||
         std::ranges::any_of(ends_of_ops, [&](std::string_view one) { return name.ends_with(one); });
}

// Fields that PyTorch adds to the kernels of collectives.
bool has_collective_field(std::string_view fields) {
  for (const std::string_view field : {"\"Collective name\": \"", "\"Process Group Name\": \""}) {
    const std::size_t at = fields.find(field);
    if (at != std::string_view::npos && fields.substr(at + field.size(), 1) != "\"") return true;
  }
  return false;
}

bool is_collective_call(std::string_view name) { return name.starts_with("nccl"); }

}  // namespace

Communication::Communication(const trace::Trace& trace)
    : trace_(trace),
      kernels_(trace.strings.size(), Known::unread),
      ops_(trace.strings.size(), Known::unread),
      fields_(trace.strings.size(), Known::unread) {}

bool Communication::known(Known& cached, trace::StringId name, bool (*test)(std::string_view)) const {
  if (cached == Known::unread) cached = test(trace_.text(name)) ? Known::yes : Known::no;
  return cached == Known::yes;
}

bool Communication::is(SliceId work) const {
  const auto& rows = trace_.slices;
  if (rows.kind[work] != SliceKind::kernel) return false;
  if (known(kernels_[rows.name[work]], rows.name[work], is_communication_name)) return true;
  const trace::StringId extra = rows.extra[work];
  if (extra != 0 && known(fields_[extra], extra, has_collective_field)) return true;
  const SliceId launch = trace::launch_of(trace_, work);
  if (launch == trace::no_slice) return false;
  const SliceId op = trace::enclosing(trace_, launch, SliceKind::op);
  return op != trace::no_slice && known(ops_[rows.name[op]], rows.name[op], is_collective_op);
}

bool Communication::has_collectives() const {
  const auto& rows = trace_.slices;
  for (SliceId s = 0; s < rows.size(); ++s) {
    const SliceKind kind = rows.kind[s];
    if ((kind == SliceKind::op || kind == SliceKind::annotation) &&
        known(ops_[rows.name[s]], rows.name[s], is_collective_op))
      return true;
    if (trace::is_call(kind) && is_collective_call(trace_.name(s))) return true;
  }
  return false;
}

bool Communication::around(SliceId slice) const {
  // Most traces are of one GPU. They need not be searched again for each of a million parts of idle times.
  if (has_collectives_ == Known::unread) has_collectives_ = has_collectives() ? Known::yes : Known::no;
  if (has_collectives_ == Known::no) return false;
  const auto& rows = trace_.slices;
  constexpr int most_levels = 64;  // a file can nest thousands of slices
  int levels = 0;
  for (; slice != trace::no_slice && levels < most_levels; slice = rows.parent[slice], ++levels) {
    const SliceKind kind = rows.kind[slice];
    if ((kind == SliceKind::op || kind == SliceKind::annotation) &&
        known(ops_[rows.name[slice]], rows.name[slice], is_collective_op))
      return true;
    if (trace::is_call(kind) && is_collective_call(trace_.name(slice))) return true;
  }
  return false;
}

}  // namespace warpwalk::analysis
