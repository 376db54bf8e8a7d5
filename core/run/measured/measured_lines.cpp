#include "core/run/measured/measured_lines.h"

#include <algorithm>
#include <vector>

#include "core/sass/elf/cubin.h"
#include "core/trace/ncu/metrics.h"
#include "core/trace/sass_lines.h"

namespace warpwalk::run {
namespace {

using trace::ncu::InstructionMetric;
using trace::ncu::InstructionValue;
using trace::ncu::Launch;
using trace::ncu::Report;

// The member of LineMeasurements that a metric counts.
std::uint64_t LineMeasurements::*member_of_metric(std::string_view metric) {
  if (metric == "inst_executed") return &LineMeasurements::instructions;
  if (metric == "memory_l2_theoretical_sectors_global") return &LineMeasurements::sectors;
  if (metric == "memory_l2_theoretical_sectors_global_ideal") return &LineMeasurements::ideal_sectors;
  if (metric == "memory_l1_wavefronts_shared") return &LineMeasurements::wavefronts;
  if (metric == "memory_l1_wavefronts_shared_ideal") return &LineMeasurements::ideal_wavefronts;
  return nullptr;
}

std::uint64_t counted_value(double value) {
  return value > 0 && value < 0x1p62 ? static_cast<std::uint64_t>(value) : 0;
}

// The line of each instruction of the kernel, by its offset.
class LineOfInstruction {
 public:
  LineOfInstruction(std::string_view cubin_bytes, std::string_view kernel, std::string_view source_file)
      : file_(source_file) {
    auto cubin = sass::parse_cubin(cubin_bytes);
    if (!cubin) return;
    cubin_ = std::move(*cubin);
    const auto function = std::ranges::find(cubin_.functions, kernel, &sass::CubinFunction::name);
    if (function == cubin_.functions.end()) return;
    function_ = &*function;
    if (!file_.empty()) return;
    // The kernel's own file has the outermost position of its instructions.
    constexpr std::uint64_t step = 16;
    for (std::uint64_t at = 0; at < function_->code.size() && file_.empty(); at += step)
      if (const auto places = sass::source_positions(cubin_, *function_, at); !places.empty())
        file_ = trace::file_name(places.back().file);
  }

  std::string_view file() const { return file_; }
  bool has_lines() const { return function_ != nullptr && !function_->source_lines.empty(); }

  /// 0: none.
  std::uint64_t operator()(std::uint64_t offset) const {
    if (function_ == nullptr) return 0;
    for (const sass::SourcePosition& place : sass::source_positions(cubin_, *function_, offset))
      if (place.line != 0 && trace::file_name(place.file) == file_) return place.line;
    return 0;
  }

 private:
  sass::Cubin cubin_;
  const sass::CubinFunction* function_ = nullptr;
  std::string_view file_;
};

// The lines that the CSV of ncu has of a file. Without a file: of the first one, in which the kernel is.
MeasuredLines lines_of_csv(const Report& report, const Launch& launch, std::string_view source_file) {
  MeasuredLines measured;
  const auto of_file = [&](const trace::ncu::SourceLines& lines) {
    return trace::file_name(lines.file) == trace::file_name(source_file);
  };
  const auto found = source_file.empty() ? launch.by_line.begin() : std::ranges::find_if(launch.by_line, of_file);
  if (found == launch.by_line.end()) {
    measured.missing = "the CSV has no lines of " + std::string(trace::file_name(source_file));
    return measured;
  }
  measured.source_file = trace::file_name(found->file);
  for (const auto& [line, text] : found->texts) measured.lines[line].text = text;
  for (const trace::ncu::LineMetric& metric : found->metrics) {
    const std::string_view name = report.metric_names[metric.name];
    const auto member = member_of_metric(name);
    const auto reason = trace::ncu::sampled_stall(name);
    for (const auto& [line, counted] : metric.values) {
      const std::uint64_t value = counted_value(counted);
      if (member != nullptr) measured.lines[line].*member += value;
      if (!reason) continue;
      measured.lines[line].samples[std::string(*reason)] += value;
      if (*reason != "selected" && launch.by_instruction.empty()) measured.stalled += value;
    }
  }
  // Instructions without a line count too.
  for (const InstructionMetric& metric : launch.by_instruction) {
    const auto reason = trace::ncu::sampled_stall(report.metric_names[metric.name]);
    if (!reason || *reason == "selected") continue;
    for (const InstructionValue& at : metric.values) measured.stalled += counted_value(at.value);
  }
  return measured;
}

}  // namespace

std::uint64_t LineMeasurements::stalled() const {
  std::uint64_t sum = 0;
  for (const auto& [reason, count] : samples)
    if (reason != "selected") sum += count;
  return sum;
}

std::string LineMeasurements::main_reason() const {
  std::string main;
  std::uint64_t most = 0;
  for (const auto& [reason, count] : samples) {
    if (reason == "selected" || count <= most) continue;
    main = reason;
    most = count;
  }
  return main;
}

MeasuredLines measured_lines(const Report& report, const Launch& launch, std::string_view source_file) {
  if (!launch.by_line.empty()) return lines_of_csv(report, launch, source_file);
  MeasuredLines measured;
  if (report.from_csv) {
    measured.missing =
        "the CSV has nothing by line: ncu --import REPORT --csv --page source --print-source cuda,sass has";
    return measured;
  }
  if (launch.by_instruction.empty()) {
    measured.missing = "nothing was measured by line: ncu --set full, or --section SourceCounters, does";
    return measured;
  }
  const trace::ncu::Source* const source = report.source_of(launch);
  const LineOfInstruction line_of(source == nullptr ? std::string_view() : std::string_view(source->cubin),
                                  launch.mangled, trace::file_name(source_file));
  if (!line_of.has_lines()) {
    measured.missing = "the measured code has no lines of the source: compile it with nvcc -lineinfo";
    return measured;
  }
  measured.source_file = line_of.file();
  std::map<std::uint64_t, std::uint64_t> lines;  // by offset
  const auto known_line = [&](std::uint64_t offset) {
    const auto [known, is_new] = lines.try_emplace(offset);
    if (is_new) known->second = line_of(offset);
    return known->second;
  };
  for (const InstructionMetric& metric : launch.by_instruction) {
    const std::string_view name = report.metric_names[metric.name];
    const auto member = member_of_metric(name);
    const auto reason = trace::ncu::sampled_stall(name);
    if (member == nullptr && !reason) continue;
    for (const InstructionValue& at : metric.values) {
      const std::uint64_t value = counted_value(at.value);
      if (value == 0) continue;
      if (reason && *reason != "selected") measured.stalled += value;
      const std::uint64_t line = known_line(at.offset);
      if (line == 0) continue;
      if (reason)
        measured.lines[line].samples[std::string(*reason)] += value;
      else
        measured.lines[line].*member += value;
    }
  }
  return measured;
}

std::string_view source_text_of(const Report& report, const Launch& launch, std::string_view source_file) {
  const trace::ncu::Source* const source = report.source_of(launch);
  if (source == nullptr) return {};
  for (const trace::ncu::SourceText& file : source->files)
    if (trace::file_name(file.name) == trace::file_name(source_file)) return file.text;
  return {};
}

}  // namespace warpwalk::run
