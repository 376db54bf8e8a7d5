#include "core/trace/ncu/report.h"

#include <algorithm>

namespace warpwalk::trace::ncu {
namespace {

// A launch has the metrics in about the same order as all others, so the row of a name is no index into them.
template <class Row>
const Row* row_of_metric(const Report& report, const std::vector<Row>& rows, std::string_view metric) {
  const auto known = std::ranges::find(report.metric_names, metric);
  if (known == report.metric_names.end()) return nullptr;
  const auto name = static_cast<std::uint32_t>(known - report.metric_names.begin());
  const auto row = std::ranges::find(rows, name, &Row::name);
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace

std::optional<double> ReportDevice::attribute(std::string_view attribute_name) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute_name) return value;
  return {};
}

std::optional<double> Report::value(const Launch& launch, std::string_view metric) const {
  const Metric* const row = row_of_metric(*this, launch.metrics, metric);
  if (row == nullptr) return {};
  return row->value;
}

const InstructionMetric* Report::by_instruction(const Launch& launch, std::string_view metric) const {
  return row_of_metric(*this, launch.by_instruction, metric);
}

const Source* Report::source_of(const Launch& launch) const {
  const auto source = std::ranges::find(sources, launch.source, &Source::reference);
  return launch.source == 0 || source == sources.end() ? nullptr : &*source;
}

const ReportDevice* Report::device_of(const Launch& launch) const {
  const auto id = static_cast<std::int64_t>(value(launch, "launch__device_id").value_or(0));
  const auto device = std::ranges::find(devices, id, &ReportDevice::id);
  return device == devices.end() ? nullptr : &*device;
}

bool Report::caches_flushed() const {
  return command.find("--cache-control none") == std::string::npos &&
         command.find("--cache-control=none") == std::string::npos;
}

std::string Report::measured_by() const { return version.empty() ? "Nsight Compute" : "Nsight Compute " + version; }

std::size_t Report::bytes() const {
  std::size_t sum = 0;
  for (const Launch& launch : launches) {
    sum += sizeof(Launch) + launch.mangled.size() + launch.function.size() + launch.name.size();
    sum += launch.metrics.size() * sizeof(Metric);
    for (const InstructionMetric& metric : launch.by_instruction)
      sum += sizeof(metric) + metric.values.size() * sizeof(InstructionValue);
    for (const SourceLines& lines : launch.by_line) {
      for (const auto& [line, text] : lines.texts) sum += sizeof(lines.texts.front()) + text.size();
      for (const LineMetric& metric : lines.metrics)
        sum += sizeof(metric) + metric.values.size() * sizeof(metric.values.front());
    }
  }
  for (const Source& source : sources) {
    sum += source.cubin.size();
    for (const SourceText& file : source.files) sum += file.text.size();
  }
  return sum;
}

std::string function_of(std::string_view name) {
  constexpr std::string_view unnamed = "(anonymous namespace)";
  std::size_t begin = 0, end = 0, templates = 0;
  for (; end < name.size(); ++end) {
    const char c = name[end];
    if (c == '<') ++templates;
    if (c == '>' && templates > 0) --templates;
    if (templates > 0) continue;
    if (name.substr(end).starts_with(unnamed))
      end += unnamed.size() - 1;
    else if (c == '(')
      break;
    else if (c == ' ')
      begin = end + 1;
  }
  std::string_view function = name.substr(begin, end - begin);
  std::size_t cut = function.size();
  if (function.ends_with('>'))
    for (std::size_t open = 0; cut > 0;) {
      --cut;
      if (function[cut] == '>') ++open;
      if (function[cut] == '<' && --open == 0) break;
    }
  if (cut > 0) function = function.substr(0, cut);
  return std::string(function.empty() ? name : function);
}

}  // namespace warpwalk::trace::ncu
