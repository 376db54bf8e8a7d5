#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/kernels/device_peaks.h"
#include "core/analysis/kernels/kernel_category.h"
#include "core/analysis/modules/code_place.h"
#include "core/analysis/predict/change.h"
#include "core/analysis/predict/work_graph.h"
#include "core/base/result.h"

namespace warpwalk::analysis {

/// What a prediction rests on.
enum class BasisOrigin : std::uint8_t {
  derived,    ///< arithmetic on what the trace records
  simulated,  ///< the GPU model
  scaled,     ///< recorded times, scaled by the work of kernels and the peaks of the GPU
  measured,   ///< times measured on other programs
};
std::string_view name_of(BasisOrigin origin);

/// Which of its uncertain figures a prediction takes.
enum class Doubt : std::uint8_t { likely, low, high };  // low: the shortest time

/// One of three values: of the shortest time, the likely one, of the longest time.
constexpr double choose(Doubt doubt, double low, double likely, double high) {
  return doubt == Doubt::low ? low : doubt == Doubt::high ? high : likely;
}

/// Seconds of a recorded kernel on a GPU, simulated with its machine code; none if it cannot be simulated. It is asked
/// several times for the same kernel.
using KernelSimulator = std::function<std::optional<double>(SliceId kernel, const gpu::Device& device)>;

/// What is known of the trace. Everything must outlive it.
struct ChangeInput {
  const Trace& trace;
  WorkCategories& categories;
  const CodePlaces& places;
  const DevicePeaks& peaks;                   ///< of the trace's GPU
  std::string_view gpu;                       ///< its name; may be empty
  std::span<const gpu::Device> known;         ///< descriptions of GPUs
  const gpu::Device* device = nullptr;        ///< the description of the trace's GPU; null: there is none
  const KernelSimulator* simulate = nullptr;  ///< null: nothing is simulated
};

/// What applying a change rests on, or why nothing can be said of it.
struct AppliedChange {
  BasisOrigin origin = BasisOrigin::derived;
  std::string text;                       ///< one sentence or more
  std::string cannot;                     ///< why its effect cannot be told; empty: it can
  std::optional<DevicePeaks> peaks = {};  ///< of gpu: those of the new GPU
};

/// What a kernel takes at least, whatever its work, ns: the shortest kernels of PyTorch on an H200.
inline constexpr double shortest_kernel = 1'200;
bool is_kernel(const Trace& trace, const WorkNode& node);
/// FLOPs and bytes of a kernel with the changes so far.
WorkAmount amount_of(const ChangeInput& input, const WorkNode& node);

/// Changes the durations and dependences of a graph. The error, one line, is of changes that name what the trace does
/// not have, and lists what it has.
base::Result<AppliedChange> apply_change(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt);

// By subject, for apply_change().
base::Result<AppliedChange> drop_syncs(const ChangeInput& input, WorkGraph& graph, const Change& change);
AppliedChange pin_copies(const ChangeInput& input, WorkGraph& graph, Doubt doubt);
AppliedChange prefetch_copies(const ChangeInput& input, WorkGraph& graph);
AppliedChange change_launches(const ChangeInput& input, WorkGraph& graph, const Change& change);
AppliedChange speed_up_cpu(WorkGraph& graph, double factor);
base::Result<AppliedChange> speed_up_kernels(const ChangeInput& input, WorkGraph& graph, const Change& change);
base::Result<AppliedChange> change_gpu(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt);
/// Of batch, sequence and hidden.
AppliedChange change_sizes(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt);
AppliedChange narrow_type(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt);
AppliedChange compile_graph(const ChangeInput& input, WorkGraph& graph, Doubt doubt);
AppliedChange capture_graph(const ChangeInput& input, WorkGraph& graph, Doubt doubt);
base::Result<AppliedChange> fuse_ops(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt);
/// Of ranks and link.
AppliedChange change_ranks(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt);
AppliedChange fuse_optimizer(const ChangeInput& input, WorkGraph& graph, Doubt doubt);

/// Removes a node: it takes no time, and waits for nothing but what comes before it on its thread or stream.
void remove_node(WorkGraph& graph, NodeId node);
/// Lets a node no longer wait for others.
void drop_dependences(WorkGraph& graph, const WorkNode& node);
/// The outermost op around a slice, itself included; no_slice if there is none.
SliceId outermost_op(const Trace& trace, SliceId slice);
/// Whether the call launches a kernel.
bool launches_kernel(const Trace& trace, SliceId call);
/// The op by which autograd adds a gradient to that of a parameter.
inline constexpr std::string_view accumulate_gradient = "torch::autograd::AccumulateGrad";
/// Sizes of the tensors that an optimizer updates in one step, elements of each; empty if they are not recorded.
std::vector<double> optimizer_tensors(const Trace& trace, const WorkGraph& graph);

}  // namespace warpwalk::analysis
