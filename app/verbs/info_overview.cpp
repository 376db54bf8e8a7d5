#include "app/verbs/info_overview.h"

#include <string>

#include "core/story/facts/analysis/overview.h"

namespace warpwalk::verbs {

void write_overview(rapidjson::PrettyWriter<rapidjson::StringBuffer>& writer, const trace::Trace& trace) {
  const auto text = [&](std::string_view value) {
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  const auto number = [&](const char* key, std::uint64_t value) {
    writer.Key(key);
    writer.Uint64(value);
  };
  const story::Overview overview = story::overview_of(trace);
  writer.Key("gpu_breakdown");
  writer.StartArray();
  for (const story::GpuBreakdown& gpu : story::gpu_breakdowns(trace)) {
    writer.StartObject();
    writer.Key("device");
    writer.Int64(gpu.device);
    number("span_ns", static_cast<std::uint64_t>(gpu.to - gpu.from));
    number("idle_ns", static_cast<std::uint64_t>(gpu.idle));
    number("compute_ns", static_cast<std::uint64_t>(gpu.compute));
    number("non_compute_ns", static_cast<std::uint64_t>(gpu.non_compute));
    number("communication_ns", static_cast<std::uint64_t>(gpu.communication));
    number("communication_alone_ns", static_cast<std::uint64_t>(gpu.communication_alone));
    writer.EndObject();
  }
  writer.EndArray();
  writer.Key("gpu_work");
  writer.StartArray();
  for (const story::WorkCost& cost : story::work_costs(trace)) {
    writer.StartObject();
    writer.Key("name");
    text(trace.name(cost.longest_one));
    number("count", cost.count);
    number("total_ns", static_cast<std::uint64_t>(cost.total));
    number("shortest_ns", static_cast<std::uint64_t>(cost.shortest));
    number("longest_ns", static_cast<std::uint64_t>(cost.longest));
    writer.EndObject();
  }
  writer.EndArray();
  writer.Key("critical_path");
  writer.StartObject();
  for (std::size_t k = 0; k < story::path_kinds; ++k)
    number(std::string(story::name_of(static_cast<story::PathKind>(k))).c_str(),
           static_cast<std::uint64_t>(overview.path.time[k]));
  writer.EndObject();
  writer.Key("steps");
  writer.StartArray();
  for (const story::TrainingStep& step : overview.steps.steps) {
    writer.StartObject();
    writer.Key("name");
    text(step.name);
    number("duration_ns", static_cast<std::uint64_t>(step.duration()));
    number("computing_ns", static_cast<std::uint64_t>(step.computing));
    number("copying_ns", static_cast<std::uint64_t>(step.copying));
    number("idle_ns", static_cast<std::uint64_t>(step.idle_time()));
    number("kernels", step.kernels);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace warpwalk::verbs
