#include "core/analysis/modules/code_place.h"

#include <algorithm>
#include <functional>

#include "core/analysis/modules/backward_pairs.h"
#include "core/analysis/names/short_names.h"
#include "core/base/exact_json.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;
using trace::StringId;

// A backward op can be inside another one, whose forward op was computed again inside a third one. No more steps from a
// backward op to its forward op are taken than this.
constexpr int most_steps_forward = 8;

// The text of a JSON string; empty for anything else.
std::string json_string(std::string_view json) {
  rapidjson::Document read;
  if (base::parse_exact(json, read, base::Encoding::as_is).IsError() || !read.IsString()) return {};
  return {read.GetString(), read.GetStringLength()};
}

// TorchScript's "TOP(Model)::forward.layers(Sequential)::forward.SELF(Sequential)::run" as "Model.layers".
std::string path_of_hierarchy(std::string_view text) {
  std::string path;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t open = rest.find('(');
    const std::size_t close = rest.find(')', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos)
      return path.empty() ? std::string(text) : path;
    const std::string_view name = rest.substr(0, open);
    const std::string_view shown = name == "TOP" ? rest.substr(open + 1, close - open - 1) : name;
    if (name != "SELF") path.append(path.empty() ? "" : ".").append(shown);
    const std::size_t next = rest.find('.', close);
    rest = next == std::string_view::npos ? std::string_view() : rest.substr(next + 1);
  }
  return path;
}

// Calls `use` with each line of a call stack, "inner.py(3): f;outer.py(9): g", the innermost first, until it returns
// true.
void each_line(std::string_view call_stack, const std::function<bool(std::string_view)>& use) {
  const std::string text = json_string(call_stack);
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    if (use(rest.substr(0, end))) return;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

std::string innermost_line(std::string_view call_stack) {
  std::string found;
  each_line(call_stack, [&](std::string_view line) {
    if (parse_frame_name(line)) found = short_frame_name(line);
    return !found.empty();
  });
  return found;
}

// What is around a slice, collected from the inside out.
struct CodePlaces::Found {
  bool frame_alone = false;  // what is further out than a frame of the program is not asked for
  SliceId user = no_slice, package = no_slice, range = no_slice, torch_range = no_slice;
  std::vector<SliceId> modules;  // the innermost first
  bool modules_done = false;     // those of a forward op are in `modules`: what is further out called backward()
  SliceId forward_op = no_slice;
  StringId call_stack = 0, hierarchy = 0;
  int steps_forward = 0;

  SliceId frame() const {
    for (const SliceId one : {user, package, range})
      if (one != no_slice) return one;
    return torch_range;
  }
};

bool is_range_of_torch(std::string_view name) {
  constexpr std::string_view begins[] = {
      "ProfilerStep#", "Optimizer.", "## ",   "enumerate(DataLoader",     "PyTorch Profiler",  "Torch-Compiled Region",
      "TorchDynamo",   "nccl:",      "gloo:", "DistributedDataParallel.", "Pregraph bytecode", "AOTDispatcher ",
      "FSDP::"};
  return std::ranges::any_of(begins, [&](std::string_view begin) { return name.starts_with(begin); });
}

CodePlaces::CodePlaces(const Trace& trace)
    : trace_(trace),
      owners_(trace),
      pairs_(backward_pairs(trace)),
      outer_(trace.slices.size(), no_slice),
      outer_place_(trace.slices.size(), no_slice),
      ranges_of_torch_(trace.strings.size()) {
  find_outer();
  find_outer_places();
}

void CodePlaces::find_outer() {
  const trace::Slices& rows = trace_.slices;
  std::vector<SliceId> frames, ops, ranges;  // that are open; those of one kind nest
  for (const trace::Track& track : trace_.tracks) {
    if (track.gpu) continue;
    for (std::vector<SliceId>* const open : {&frames, &ops, &ranges}) open->clear();
    for (SliceId s = track.first; s < track.last; ++s) {
      for (std::vector<SliceId>* const open : {&frames, &ops, &ranges}) {
        while (!open->empty() && rows.end(open->back()) <= rows.start[s]) open->pop_back();
        // Rows are sorted by start, and those that start together from the outside in.
        if (!open->empty() && (outer_[s] == no_slice || open->back() > outer_[s])) outer_[s] = open->back();
      }
      if (rows.kind[s] == SliceKind::python) frames.push_back(s);
      if (rows.kind[s] == SliceKind::op) ops.push_back(s);
      if (rows.kind[s] != SliceKind::annotation) continue;
      ranges.push_back(s);
      ranges_of_torch_[rows.name[s]] = is_range_of_torch(trace_.name(s));
    }
  }
}

// Most frames around a slice are those of Python and PyTorch, which are no places of the program.
void CodePlaces::find_outer_places() {
  std::vector<bool> has_forward(outer_.size());
  for (const auto& [backward, forward] : pairs_) has_forward[backward] = true;
  const auto counts = [&](SliceId slice) {
    if (trace_.slices.kind[slice] == SliceKind::annotation) return true;
    const FrameOwner owner = owner_of(slice);
    return owner == FrameOwner::user || owner == FrameOwner::package || has_forward[slice];
  };
  for (SliceId s = 0; s < outer_.size(); ++s) {
    const SliceId outer = outer_[s];  // comes before s
    if (outer != no_slice) outer_place_[s] = counts(outer) ? outer : outer_place_[outer];
  }
}

FrameOwner CodePlaces::owner_of(SliceId slice) const {
  return trace_.slices.kind[slice] == SliceKind::python ? owners_.of(trace_.slices.name[slice]) : FrameOwner::none;
}

SliceId CodePlaces::forward_of(SliceId backward_op) const {
  const auto found = std::ranges::lower_bound(pairs_, backward_op, {}, &std::pair<SliceId, SliceId>::first);
  return found != pairs_.end() && found->first == backward_op ? found->second : no_slice;
}

void CodePlaces::consider(SliceId s, Found& found) const {
  const auto keep = [s](SliceId& first) {
    if (first == no_slice) first = s;
  };
  switch (trace_.slices.kind[s]) {
    case SliceKind::python:
      switch (owners_.of(trace_.slices.name[s])) {
        case FrameOwner::user: keep(found.user); break;
        case FrameOwner::package: keep(found.package); break;
        case FrameOwner::module:
          if (!found.modules_done && !found.frame_alone) found.modules.push_back(s);
          break;
        case FrameOwner::runtime:
        case FrameOwner::none: break;
      }
      break;
    case SliceKind::annotation: keep(ranges_of_torch_[trace_.slices.name[s]] ? found.torch_range : found.range); break;
    case SliceKind::op: {
      const trace::OpDetail& op = trace_.ops[trace_.slices.detail[s]];
      if (found.call_stack == 0) found.call_stack = op.call_stack;
      if (found.hierarchy == 0) found.hierarchy = op.module_hierarchy;
      break;
    }
    default: break;
  }
}

void CodePlaces::collect(SliceId from, Found& found) const {
  bool stepped = false;
  const std::vector<SliceId>& further_out = found.frame_alone ? outer_place_ : outer_;
  for (SliceId s = from; s != no_slice; s = further_out[s]) {
    // A frame in which an outer range started can have ended before.
    if (s != from && trace_.slices.end(s) <= trace_.slices.start[from]) continue;
    consider(s, found);
    if (found.frame_alone && found.user != no_slice) return;
    if (stepped || found.steps_forward == most_steps_forward || trace_.slices.kind[s] != SliceKind::op) continue;
    const SliceId forward = forward_of(s);
    if (forward == no_slice) continue;
    if (found.forward_op == no_slice) found.forward_op = forward;
    ++found.steps_forward;
    const std::size_t inside = found.modules.size();
    collect(forward, found);
    // Further out is the call of backward(), or another backward op that leads to the place of an outer forward op.
    stepped = found.modules.size() > inside;
    found.modules_done = found.modules_done || stepped;
  }
}

void CodePlaces::find(SliceId slice, Found& found) const {
  if (slice == no_slice) return;
  const bool on_gpu = trace::is_gpu_work(trace_.slices.kind[slice]);
  collect(on_gpu ? trace::launch_of(trace_, slice) : slice, found);
}

SliceId CodePlaces::frame_of(SliceId slice) const {
  Found found;
  found.frame_alone = true;
  find(slice, found);
  return found.frame();
}

CodePlace CodePlaces::of(SliceId slice) const {
  Found found;
  find(slice, found);
  return {found.frame(), found.modules.empty() ? no_slice : found.modules.front(), found.forward_op};
}

std::string CodePlaces::executed_line(StringId call_stack) const {
  std::string found;
  each_line(trace_.text(call_stack), [&](std::string_view line) {
    if (owners_.of_text(line) == FrameOwner::user) found = short_frame_name(line);
    return !found.empty();
  });
  return found;
}

std::string CodePlaces::line_text(SliceId slice) const {
  Found found;
  find(slice, found);
  if (found.call_stack != 0)
    if (std::string line = executed_line(found.call_stack); !line.empty()) return line;
  const SliceId frame = found.frame();
  if (frame == no_slice) return {};
  if (trace_.slices.kind[frame] != SliceKind::python) return std::string(trace_.name(frame));
  return short_frame_name(trace_.name(frame));
}

std::vector<SliceId> CodePlaces::module_path(SliceId slice) const {
  Found found;
  find(slice, found);
  std::ranges::reverse(found.modules);
  return std::move(found.modules);
}

std::string CodePlaces::path_text(SliceId slice) const {
  Found found;
  find(slice, found);
  if (found.hierarchy != 0)
    if (const std::string text = json_string(trace_.text(found.hierarchy)); !text.empty())
      return path_of_hierarchy(text);
  std::string path;
  for (auto module = found.modules.rbegin(); module != found.modules.rend(); ++module)
    path.append(path.empty() ? "" : " / ").append(module_name(trace_.name(*module)));
  return path;
}

}  // namespace warpwalk::analysis
