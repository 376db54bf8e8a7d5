// Graphs, engines, heuristics and plans: what finalizing them checks and answers, and the execution of plans.
#include <algorithm>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/backend/graph.h"

namespace warpwalk::simulated::libraries {
namespace {

constexpr std::int64_t engine_count = 2;

using Shared = std::shared_ptr<const BackendContents>;

/// The descriptor that an attribute has, shared; null if there is none.
Shared shared_descriptor(const BackendContents& of, Attribute name) {
  const auto found = of.values.find(name);
  return found == of.values.end() || found->second.contents.empty() ? nullptr : found->second.contents[0];
}

DnnStatus finalize_tensor(const BackendContents& tensor) {
  const auto extents = tensor.all<std::int64_t>(Attribute::tensor_extents);
  const auto strides = tensor.all<std::int64_t>(Attribute::tensor_strides);
  if (extents.empty() || extents.size() != strides.size() || extents.size() > most_axes) return DnnStatus::bad_param;
  if (std::ranges::any_of(extents, [](std::int64_t extent) { return extent < 1; })) return DnnStatus::bad_param;
  return tensor.values.contains(Attribute::tensor_type) && tensor.values.contains(Attribute::tensor_identifier)
             ? DnnStatus::success
             : DnnStatus::bad_param;
}

/// Graphs of any operations are complete; which of them have engines is a question to the heuristics.
DnnStatus finalize_graph(BackendContents& graph) {
  if (!graph.values.contains(Attribute::graph_operations)) return DnnStatus::bad_param;
  graph.set_numbers(Attribute::graph_engine_count, AttributeType::int64,
                    {convolution_of(graph) ? engine_count : std::int64_t{0}});
  return DnnStatus::success;
}

DnnStatus finalize_engine(BackendContents& engine) {
  const Shared graph = shared_descriptor(engine, Attribute::engine_graph);
  if (graph == nullptr) return DnnStatus::bad_param;
  const auto convolution = convolution_of(*graph);
  if (!convolution) return DnnStatus::not_supported_graph_pattern;
  const auto index = engine.one<std::int64_t>(Attribute::engine_index, -1);
  if (std::ranges::count(engines_for(convolution->convolution), index) == 0) return DnnStatus::not_supported;
  constexpr std::int64_t tensor_core_note = 0;
  std::vector<std::int64_t> notes;
  if (index == 0) notes.push_back(tensor_core_note);
  engine.set_numbers(Attribute::engine_numerical_notes, AttributeType::numerical_note, notes);
  constexpr auto behavior_note = static_cast<AttributeType>(19);
  engine.set_numbers(Attribute::engine_behavior_notes, behavior_note, {});
  engine.set_contents(Attribute::engine_knobs, {});
  engine.set_contents(Attribute::engine_layouts, {});
  return DnnStatus::success;
}

DnnStatus finalize_configuration(BackendContents& configuration) {
  if (shared_descriptor(configuration, Attribute::configuration_engine) == nullptr) return DnnStatus::bad_param;
  if (!configuration.values.contains(Attribute::configuration_knobs))
    configuration.set_contents(Attribute::configuration_knobs, {});
  configuration.set_contents(Attribute::configuration_intermediate, {});
  configuration.set_numbers(Attribute::configuration_workspace, AttributeType::int64, {0});
  constexpr auto int32 = static_cast<AttributeType>(23);
  constexpr std::int64_t shared_bytes = 16640;  // the sums of a block on tensor cores
  configuration.set_numbers(Attribute::configuration_shared_memory, int32, {shared_bytes});
  return DnnStatus::success;
}

DnnStatus finalize_heuristics(BackendContents& heuristics) {
  const Shared graph = shared_descriptor(heuristics, Attribute::heuristics_graph);
  if (graph == nullptr) return DnnStatus::bad_param;
  const auto convolution = convolution_of(*graph);
  if (!convolution) {
    tell_not_supported("cuDNN", "cudnnBackendFinalize", "a graph other than a convolution with additions and a relu");
    return DnnStatus::not_supported_graph_pattern;
  }
  std::vector<Shared> results;
  for (const std::int64_t index : engines_for(convolution->convolution)) {
    auto engine = std::make_shared<BackendContents>();
    engine->kind = BackendKind::engine;
    engine->set_contents(Attribute::engine_graph, {graph});
    engine->set_numbers(Attribute::engine_index, AttributeType::int64, {index});
    auto configuration = std::make_shared<BackendContents>();
    configuration->kind = BackendKind::engine_configuration;
    if (finalize_engine(*engine) != DnnStatus::success) continue;
    configuration->set_contents(Attribute::configuration_engine, {engine});
    if (finalize_configuration(*configuration) == DnnStatus::success) results.push_back(configuration);
  }
  heuristics.set_contents(Attribute::heuristics_results, std::move(results));
  return DnnStatus::success;
}

/// What a plan computes, with the engine's arithmetic.
std::optional<GraphConvolution> convolution_of_plan(const BackendContents& plan) {
  const BackendContents* const configuration = plan.descriptor(Attribute::plan_configuration);
  if (configuration == nullptr) return std::nullopt;
  const BackendContents* const engine = configuration->descriptor(Attribute::configuration_engine);
  if (engine == nullptr) return std::nullopt;
  const BackendContents* const graph = engine->descriptor(Attribute::engine_graph);
  if (graph == nullptr) return std::nullopt;
  auto convolution = convolution_of(*graph);
  if (convolution) convolution->convolution.tensor_cores = engine->one<std::int64_t>(Attribute::engine_index, 0) == 0;
  return convolution;
}

DnnStatus finalize_plan(BackendContents& plan) {
  if (plan.values.contains(Attribute::plan_json)) return DnnStatus::not_supported;
  if (!convolution_of_plan(plan)) return DnnStatus::bad_param;
  plan.set_numbers(Attribute::plan_workspace, AttributeType::int64, {0});
  return DnnStatus::success;
}

DnnStatus finalize_pack(const BackendContents& pack) {
  return pack.all<std::int64_t>(Attribute::pack_identifiers).size() == pack.all<void*>(Attribute::pack_pointers).size()
             ? DnnStatus::success
             : DnnStatus::bad_param;
}

}  // namespace

DnnStatus finalize_contents(BackendContents& contents) {
  switch (contents.kind) {
    case BackendKind::tensor: return finalize_tensor(contents);
    case BackendKind::operation_graph: return finalize_graph(contents);
    case BackendKind::engine: return finalize_engine(contents);
    case BackendKind::engine_configuration: return finalize_configuration(contents);
    case BackendKind::heuristics: return finalize_heuristics(contents);
    case BackendKind::execution_plan: return finalize_plan(contents);
    case BackendKind::variant_pack: return finalize_pack(contents);
    default: return DnnStatus::success;
  }
}

extern "C" DnnStatus cudnnBackendExecute(DnnHandle* handle, const BackendDescriptor* plan,
                                         const BackendDescriptor* pack) {
  if (handle == nullptr || plan == nullptr || pack == nullptr) return DnnStatus::bad_param_null_pointer;
  if (!plan->finalized || !pack->finalized) return DnnStatus::bad_param_not_finalized;
  auto graph = convolution_of_plan(*plan->contents);
  if (!graph) return DnnStatus::bad_param;
  const auto identifiers = pack->contents->all<std::int64_t>(Attribute::pack_identifiers);
  const auto pointers = pack->contents->all<const void*>(Attribute::pack_pointers);
  const auto pointer_of = [&](std::int64_t identifier) -> const void* {
    const auto found = std::ranges::find(identifiers, identifier);
    return found == identifiers.end() ? nullptr : pointers[static_cast<std::size_t>(found - identifiers.begin())];
  };
  Convolution& convolution = graph->convolution;
  convolution.x = pointer_of(graph->x), convolution.w = pointer_of(graph->w), convolution.y = pointer_of(graph->y);
  if (convolution.x == nullptr || convolution.w == nullptr || convolution.y == nullptr) return DnnStatus::bad_param;
  for (std::size_t i = 0; i < graph->addends.size(); ++i) {
    if (!graph->addends[i]) continue;
    convolution.epilogue.addends[i].tensor = pointer_of(*graph->addends[i]);
    if (convolution.epilogue.addends[i].tensor == nullptr) return DnnStatus::bad_param;
  }
  return run_convolution(convolution, handle->stream);
}

}  // namespace warpwalk::simulated::libraries
