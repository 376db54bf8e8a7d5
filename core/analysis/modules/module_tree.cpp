#include "core/analysis/modules/module_tree.h"

#include "core/analysis/modules/backward_pairs.h"
#include "core/analysis/names/short_names.h"

namespace warpwalk::analysis {

using trace::SliceKind;

ModuleTree::ModuleTree(const Trace& trace, const CodePlaces& places)
    : trace_(trace), places_(places), modules_(trace.slices.size(), unknown) {
  find_grouping();
  tree_.emplace_back();
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (is_missing(s)) resolve(s);
  // Calls are counted last: a place can be asked for several times.
  for (SliceId s = 0; s < trace.slices.size(); ++s) {
    if (!starts_module(s)) continue;
    ModuleTime& module = tree_[module_of(s)];
    ++module.calls;
    if (module.example == no_slice || trace.slices.start[s] < trace.slices.start[module.example]) module.example = s;
  }
}

void ModuleTree::find_grouping() {
  const FrameOwners& owners = places_.owners();
  const trace::Slices& rows = trace_.slices;
  if (owners.any(FrameOwner::module)) {
    grouping_ = ModuleGrouping::modules;
  } else if (owners.any(FrameOwner::user) || owners.any(FrameOwner::package)) {
    grouping_ = ModuleGrouping::functions;
    owner_ = owners.any(FrameOwner::user) ? FrameOwner::user : FrameOwner::package;
  } else {
    for (SliceId s = 0; s < rows.size() && grouping_ == ModuleGrouping::none; ++s)
      if (rows.kind[s] == SliceKind::annotation && !is_range_of_torch(trace_.name(s)))
        grouping_ = ModuleGrouping::ranges;
  }
}

bool ModuleTree::starts_module(SliceId slice) const {
  switch (grouping_) {
    case ModuleGrouping::modules:
    case ModuleGrouping::functions: return places_.owner_of(slice) == owner_;
    case ModuleGrouping::ranges:
      return trace_.slices.kind[slice] == SliceKind::annotation && !is_range_of_torch(trace_.name(slice));
    case ModuleGrouping::none: break;
  }
  return false;
}

std::uint32_t ModuleTree::child(std::uint32_t module, SliceId slice) {
  const std::uint64_t key = std::uint64_t{module} << 32 | trace_.slices.name[slice];
  const auto [found, fresh] = children_.try_emplace(key, static_cast<std::uint32_t>(tree_.size()));
  if (!fresh) return found->second;
  ModuleTime& made = tree_.emplace_back();
  made.name = grouping_ == ModuleGrouping::functions ? short_frame_name(trace_.name(slice))
                                                     : std::string(module_name(trace_.name(slice)));
  made.parent = module;
  made.depth = tree_[module].depth + 1;
  tree_[module].children.push_back(found->second);
  return found->second;
}

// The frame or op whose module a slice has if it does not start one itself. A range has no part in modules: it can last
// longer than the frame in which it started. More than a few ranges are not passed over, so that deeply nested ones
// take no longer.
SliceId ModuleTree::context_of(SliceId slice) const {
  const trace::Slices& rows = trace_.slices;
  SliceId outer = places_.outer(slice);
  for (int i = 0; i < 64 && outer != no_slice; ++i, outer = places_.outer(outer)) {
    const bool range = rows.kind[outer] == SliceKind::annotation && grouping_ != ModuleGrouping::ranges;
    if (!range && rows.end(outer) > rows.start[slice]) break;
  }
  return outer;
}

// A slice's module follows from its context and, for a backward op, from its forward op, which can be on a later
// thread. Both start no later, and the forward op starts earlier, so that this ends. Without recursion: nesting can be
// deep.
void ModuleTree::resolve(SliceId slice) {
  open_.assign(1, slice);
  while (!open_.empty()) {
    const SliceId s = open_.back();
    const SliceId context = context_of(s);
    const SliceId forward = trace_.slices.kind[s] == SliceKind::op ? places_.forward_of(s) : no_slice;
    if (is_missing(context) || is_missing(forward)) {
      if (is_missing(context)) open_.push_back(context);
      if (is_missing(forward)) open_.push_back(forward);
      continue;
    }
    open_.pop_back();
    std::uint32_t module = context == no_slice ? 0 : modules_[context] / 2;
    const bool backward =
        (context != no_slice && is_backward(context)) || forward != no_slice || is_backward_op(trace_, s);
    if (forward != no_slice && module_of(forward) != 0) module = static_cast<std::uint32_t>(module_of(forward));
    if (starts_module(s)) module = child(module, s);
    modules_[s] = module * 2 + (backward ? 1 : 0);
  }
}

}  // namespace warpwalk::analysis
