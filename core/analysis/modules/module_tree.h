#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/modules/module_time.h"

namespace warpwalk::analysis {

/// The modules of a trace as a tree, and the module of each slice of a thread.
class ModuleTree {
 public:
  ModuleTree(const Trace& trace, const CodePlaces& places);

  ModuleGrouping grouping() const { return grouping_; }
  /// The index into ModuleTimes::modules; 0: outside of modules.
  std::size_t module_of(SliceId slice) const { return modules_[slice] / 2; }
  bool is_backward(SliceId slice) const { return modules_[slice] % 2 == 1; }
  /// The modules without times.
  std::vector<ModuleTime> take_modules() { return std::move(tree_); }

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  void find_grouping();
  bool starts_module(SliceId slice) const;
  SliceId context_of(SliceId slice) const;
  void resolve(SliceId slice);
  bool is_missing(SliceId slice) const { return slice != no_slice && modules_[slice] == unknown; }
  std::uint32_t child(std::uint32_t module, SliceId slice);

  const Trace& trace_;
  const CodePlaces& places_;
  ModuleGrouping grouping_ = ModuleGrouping::none;
  FrameOwner owner_ = FrameOwner::module;  // of the frames that are modules
  std::vector<std::uint32_t> modules_;     // by slice: twice its module, and 1 inside of a backward op
  std::vector<ModuleTime> tree_;
  std::unordered_map<std::uint64_t, std::uint32_t> children_;  // by parent and name
  std::vector<SliceId> open_;
};

}  // namespace warpwalk::analysis
