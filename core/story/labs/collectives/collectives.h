#pragma once

// Common to all parts of the lab "collectives": the settings, what follows from them, and the pictures.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/elements/figure.h"
#include "core/story/labs/collectives/cost.h"
#include "core/story/labs/collectives/late.h"
#include "core/story/labs/collectives/pipeline.h"
#include "core/story/labs/collectives/plan.h"
#include "core/story/labs/collectives/ring.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/pictures/panels.h"

namespace warpwalk::story {

struct Collectives {
  static constexpr std::string_view name = "lab/collectives";
  static constexpr std::string_view algorithm_keys[] = {"ring", "tree"};
  /// The collectives of their beat, with their names in the narration.
  static constexpr std::string_view other_keys[] = {"all_gather", "reduce_scatter", "all_to_all", "broadcast"};
  static constexpr analysis::CollectiveKind others[] = {
      analysis::CollectiveKind::all_gather, analysis::CollectiveKind::reduce_scatter,
      analysis::CollectiveKind::all_to_all, analysis::CollectiveKind::broadcast};
  static constexpr std::string_view order_keys[] = {"gpipe", "one_forward"};

  const SceneInput& input;
  ControlSet controls{input, name};
  int gpus = 4;
  int trees = 2;
  std::size_t algorithm = 0;  ///< index into algorithm_keys
  std::size_t other = 0;      ///< index into other_keys
  CollectivePlan ring, tree, chosen_other;
  std::optional<int> ring_step, tree_step, other_step;  ///< as set; none: the motion goes through all steps
  double bytes = 0;                                     ///< of the message
  std::optional<LinkFit> fit;                           ///< from the measurements, if there are any
  LinkModel link;
  bool latency_set = false, bandwidth_set = false;
  CollectiveCost costs[2];  ///< of all-reduces, by algorithm_keys
  int late_gpu = 1;
  double compute = 0, late = 0;   ///< ns: before the all-reduce, and by how much the late GPU takes longer
  std::vector<ArrivedGpu> timed;  ///< the GPUs in the ring all-reduce with the late one
  int stages = 4, microbatches = 8, backward = 2;
  std::size_t order = 0;  ///< index into order_keys
  PipelineRun pipelines[2];

  explicit Collectives(const SceneInput& in);

  double progress() const { return part(input.moment.phase, 0.05, 0.9); }  ///< of the beat's motion
  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  std::string number_word(std::string_view key, std::int64_t n) const { return word(key, {{"n", with_thousands(n)}}); }
  double ns(std::size_t one) const { return costs[one].ns(bytes, link); }
  std::optional<double> crossover() const { return crossover_bytes(costs[0], costs[1], link); }
  /// Both need the same steps and bytes: for two GPUs, whose tree has one edge.
  bool same_cost() const { return costs[0].steps == costs[1].steps && costs[0].share == costs[1].share; }
  /// The all-reduce of this message as NCCL ran it; null if it was not measured.
  const records::CollectiveTime* measured() const;
  bool any_measured() const;  ///< with this number of GPUs
  /// Time of a ring step: alpha + message / n / B.
  double send_ns() const { return link.latency + bytes / gpus / link.bandwidth; }
  double last_arrival() const { return compute + late; }
  double waited() const;  ///< of all GPUs
  double last_end() const;
  const PipelineRun& pipeline() const { return pipelines[order]; }

 private:
  void read_steps();
  void read_link();
  void run_late();
};

/// The step that a beat shows: as set, else as far as the motion is.
int shown_step(const CollectivePlan& plan, const std::optional<int>& set, double shown);

/// GPUs with their gradients, the sum and the mean. `shown`: 0 to 1.
Panel gradients_panel(const Collectives& lab, double shown);
/// What each GPU holds of each chunk after a step.
Panel holdings_panel(const Collectives& lab, const CollectivePlan& plan, int step, std::string heading);
/// The chunks that each GPU sends in a step.
Panel sends_panel(const Collectives& lab, const CollectivePlan& plan, int step);
/// The trees below each other, with what goes along their edges in a step.
Panel trees_panel(const Collectives& lab, int step);
/// Where a plan is after a step: "step 2 of 6: reduce-scatter".
std::string step_heading(const Collectives& lab, const CollectivePlan& plan, int step, bool all_reduce);
/// Time of an all-reduce by the size of its message.
Panel sizes_panel(const Collectives& lab, double shown);
/// The algorithms side by side, and the measurement.
Panel algorithms_table(const Collectives& lab);
/// All collectives: steps and bytes.
Panel collectives_table(const Collectives& lab);
/// The GPUs over time, one of them late.
Panel late_panel(const Collectives& lab, double shown);
/// Stages by time. `shown`: 0 to 1.
Panel pipeline_panel(const Collectives& lab, double shown);
Panel orders_table(const Collectives& lab);

}  // namespace warpwalk::story
