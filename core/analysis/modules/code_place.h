#pragma once

// This folder relates what ran to the user's program: the Python line, the nn.Module, the forward op of a backward op.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/modules/frame_owner.h"
#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// The innermost line of a recorded call stack that is in a file, with the file's name alone: "train.py(12): step".
/// `call_stack` is JSON text, as OpDetail::call_stack has it. Empty: there is none.
std::string innermost_line(std::string_view call_stack);

/// Where in the user's program something ran; no_slice for what the trace does not tell.
struct CodePlace {
  /// The innermost Python frame of the program's own code. Without one: the innermost frame of an installed package,
  /// else the innermost range that the program named, else the innermost range that PyTorch named.
  SliceId frame = no_slice;
  SliceId module = no_slice;      ///< the innermost call of an nn.Module, a Python frame
  SliceId forward_op = no_slice;  ///< of work in the backward pass
};

/// Finds the places of ops, calls, frames and GPU work. Work on the GPU has the place of the call that launched it.
/// What runs in a backward op has the place of its forward op, except that frames inside the backward op come first: a
/// backward() written in Python, or a forward pass that is computed again (activation checkpointing).
class CodePlaces {
 public:
  /// Reads the whole trace, which must outlive this.
  explicit CodePlaces(const Trace& trace);

  /// Takes a time that grows with the depth of nesting alone.
  CodePlace of(SliceId slice) const;
  /// CodePlace::frame alone, which takes less time.
  SliceId frame_of(SliceId slice) const;
  /// "train.py(12): step"; empty if the trace does not tell. The line of a recorded call stack is the one that was
  /// executed. That of a frame is the first line of its function: torch.profiler writes no other.
  std::string line_text(SliceId slice) const;
  /// The calls of nn.Modules around the slice, the outermost first.
  std::vector<SliceId> module_path(SliceId slice) const;
  /// "Model.layers.attn" if PyTorch recorded the names of modules (TorchScript alone), else classes with numbers in the
  /// order of their first call: "Model_0 / Sequential_0 / Linear_1"; empty outside of modules.
  std::string path_text(SliceId slice) const;

  const FrameOwners& owners() const { return owners_; }
  FrameOwner owner_of(SliceId slice) const;
  /// The forward op of this backward op, or no_slice.
  SliceId forward_of(SliceId backward_op) const;
  /// The frame, op or range that started last of those in which the slice starts; no_slice for work on the GPU. Unlike
  /// Slices::parent, it also holds for slices that overlap without nesting: with_stack=True makes ranges start and end
  /// some microseconds too late or too early for the frames around and inside them.
  SliceId outer(SliceId slice) const { return outer_[slice]; }

 private:
  struct Found;
  void find_outer();
  void find_outer_places();
  void find(SliceId slice, Found& found) const;
  void collect(SliceId from, Found& found) const;
  void consider(SliceId slice, Found& found) const;
  std::string executed_line(trace::StringId call_stack) const;

  const Trace& trace_;
  FrameOwners owners_;
  std::vector<std::pair<SliceId, SliceId>> pairs_;  // backward and forward op, by backward op
  std::vector<SliceId> outer_;                      // by slice
  std::vector<SliceId> outer_place_;                // by slice: the next one further out on which its frame can depend
  std::vector<bool> ranges_of_torch_;               // by StringId: is_range_of_torch of names of ranges
};

/// Whether PyTorch or its profiler named this range, not the program: "ProfilerStep#3", "Optimizer.step#AdamW.step".
bool is_range_of_torch(std::string_view name);

}  // namespace warpwalk::analysis
