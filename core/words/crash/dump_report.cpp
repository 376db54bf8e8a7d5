#include "core/words/crash/dump_report.h"

#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::words {

DumpReport::DumpReport(const crash::CoreDump& read, std::string file_name, SourceTexts texts,
                       std::optional<crash::CallRing> armed)
    : dump(read), name(std::move(file_name)), sources(std::move(texts)), calls(std::move(armed)) {
  codes.reserve(dump.devices.size());
  for (const crash::DumpDevice& device : dump.devices) codes.emplace_back(device);
  crash = crash::find_crash(dump, codes);
  if (!crash) waits = crash::find_waits(dump, codes);
  const crash::DumpThread* const thread = crash ? &crash->thread : !waits.empty() ? &waits.front().thread : nullptr;
  if (!calls || thread == nullptr || thread->grid == nullptr) return;
  if (const auto entry = code_of(*thread->device).at(thread->grid->entry))
    launch = crash::launch_of(*calls, *thread->grid, entry->loaded->function->name);
}

crash::Code& DumpReport::code_of(const crash::DumpDevice& device) {
  return codes[static_cast<std::size_t>(&device - dump.devices.data())];
}

std::vector<ArgumentTensor> argument_tensors(DumpReport& report) {
  const crash::DumpThread* const thread = report.crash           ? &report.crash->thread
                                          : report.waits.empty() ? nullptr
                                                                 : &report.waits.front().thread;
  if (thread == nullptr || thread->grid == nullptr || report.memory.tensors.empty()) return {};
  const auto entry = report.code_of(*thread->device).at(thread->grid->entry);
  std::vector<ArgumentTensor> found;
  for (const crash::PointerArgument& one :
       crash::pointer_arguments(*thread->grid, entry ? entry->loaded->function : nullptr))
    if (const DumpTensor* const tensor = one.address == 0 ? nullptr : tensor_at(report.memory, one.address))
      found.push_back({one, tensor});
  return found;
}

std::string left_out_text(const crash::CoreDump& dump) {
  // CUCoredumpGenerationFlags of CUDA's driver API.
  constexpr std::pair<std::uint32_t, std::string_view> parts[] = {{1, "the modules as they were loaded"},
                                                                  {2, "global memory"},
                                                                  {4, "shared memory"},
                                                                  {8, "local memory"},
                                                                  {32, "constant banks"}};
  std::string text;
  for (const auto& [bit, part] : parts)
    if ((dump.flags.value_or(0) & bit) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", part);
  return text;
}

std::string dump_time_text(std::uint32_t seconds) {
  if (seconds == 0) return {};
  const std::chrono::sys_seconds time{std::chrono::seconds{seconds}};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

}  // namespace warpwalk::words
