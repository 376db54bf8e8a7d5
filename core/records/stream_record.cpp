#include "core/records/stream_record.h"

#include <fmt/format.h>

#include "core/records/record_table.h"

namespace warpwalk::records {
namespace {

constexpr std::string_view step_header =
    "program,default,host,kind,stream,quarters,us,call_ns,returned_ns,start_ns,end_ns";
constexpr std::string_view call_header = "what,count,kernel_ns,cpu_ns,total_ns";

}  // namespace

base::Result<std::vector<RecordedStep>> parse_stream_steps(std::string_view text) {
  const auto rows = record_rows(text, step_header);
  if (!rows) return base::Error{rows.error()};
  std::vector<RecordedStep> steps;
  for (const auto& cells : *rows) {
    RecordedStep step{std::string(cells[0]),
                      std::string(cells[1]),
                      cells[2] == "pageable",
                      std::string(cells[3]),
                      0,
                      0,
                      0,
                      0,
                      0,
                      {},
                      {}};
    double* const numbers[] = {&step.nominal, &step.call, &step.returned};
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
      const auto number = number_in(cells[6 + i]);
      if (!number) return base::Error{fmt::format("{}: \"{}\" is not a number", step.program, cells[6 + i])};
      *numbers[i] = *number;
    }
    step.nominal *= 1000;
    const auto stream = number_in(cells[4]), quarters = number_in(cells[5]);
    if (!stream || *stream > 4 || !quarters || *quarters > 4)
      return base::Error{fmt::format("{}: stream and quarters are from 0 to 4", step.program)};
    step.stream = static_cast<int>(*stream);
    step.quarters = static_cast<int>(*quarters);
    step.start = number_in(cells[9]);
    step.end = number_in(cells[10]);
    steps.push_back(std::move(step));
  }
  return steps;
}

base::Result<std::vector<RecordedCalls>> parse_stream_calls(std::string_view text) {
  const auto rows = record_rows(text, call_header);
  if (!rows) return base::Error{rows.error()};
  std::vector<RecordedCalls> all;
  for (const auto& cells : *rows) {
    RecordedCalls one{std::string(cells[0])};
    double* const numbers[] = {&one.count, &one.kernel_ns, &one.cpu_ns, &one.total_ns};
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
      const auto number = number_in(cells[1 + i]);
      if (!number) return base::Error{fmt::format("{}: \"{}\" is not a number", one.what, cells[1 + i])};
      *numbers[i] = *number;
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<RecordedStep> StreamRecord::program(std::string_view name) const {
  std::vector<RecordedStep> found;
  for (const RecordedStep& step : steps)
    if (step.program == name) found.push_back(step);
  return found;
}

const RecordedCalls* StreamRecord::find(std::string_view what, double count, double kernel_ns) const {
  for (const RecordedCalls& one : calls)
    if (one.what == what && one.count == count && one.kernel_ns == kernel_ns) return &one;
  return nullptr;
}

}  // namespace warpwalk::records
