#include "core/run/measured/report_code.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/run/launch/code_choice.h"
#include "core/run/replay/load_recorded.h"
#include "core/run/replay/replay_plan.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::run {
namespace {

const sass::CubinFunction* function_of_cubin(const sass::Cubin& cubin, std::string_view kernel) {
  const auto found = std::ranges::find(cubin.functions, kernel, &sass::CubinFunction::name);
  return found == cubin.functions.end() ? nullptr : &*found;
}

}  // namespace

std::size_t use_report_code(trace::Trace& trace, const trace::ncu::Report& report, const gpu::Device& device) {
  std::map<std::string, std::size_t, std::less<>> rows;  // of new modules, by kernel
  std::size_t replaced = 0;
  for (const trace::SliceId kernel : recorded_launches(trace)) {
    const auto& detail = trace.kernels[trace.slices.detail[kernel]];
    trace::KernelRecord& record = trace.records.kernels[static_cast<std::size_t>(detail.record)];
    auto row = rows.find(record.entry);
    if (row == rows.end()) {
      for (const trace::ncu::Launch& launch : report.launches) {
        const trace::ncu::Source* const source = report.source_of(launch);
        if (launch.mangled != record.entry || source == nullptr) continue;
        const auto found = find_kernel({source->cubin, {}, {}}, launch.mangled, device);
        if (!found || !found->mismatch.empty()) continue;
        trace::Module module;
        module.name = launch.mangled;
        module.cubin.assign(source->cubin.begin(), source->cubin.end());
        row = rows.emplace(record.entry, trace.records.modules.size()).first;
        trace.records.modules.push_back(std::move(module));
        break;
      }
      if (row == rows.end()) continue;
    }
    record.module = row->second;
    record.code.clear();
    ++replaced;
  }
  return replaced;
}

std::optional<bool> same_code(std::string_view cubin, std::string_view other, std::string_view kernel) {
  const auto a = sass::parse_cubin(cubin);
  const auto b = sass::parse_cubin(other);
  if (!a || !b) return {};
  const sass::CubinFunction* const code = function_of_cubin(*a, kernel);
  const sass::CubinFunction* const other_code = function_of_cubin(*b, kernel);
  if (code == nullptr || other_code == nullptr) return {};
  return code->code == other_code->code;
}

}  // namespace warpwalk::run
