#include "core/trace/ncu/messages.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/json/json_text.h"
#include "core/trace/ncu/wire.h"

namespace warpwalk::trace::ncu {
namespace {

using FieldNumber = std::uint32_t;

// A text with bytes that are not UTF-8 replaced by U+FFFD: a trace and its JSON hold nothing else.
std::string string_of(const Field& field) { return valid_utf8(field.bytes); }

// ProfileMetricValue: the number, if it is one.
std::optional<double> number_of_value(std::string_view message) {
  constexpr FieldNumber single = 2, real = 3, uint32 = 4, uint64 = 5;
  std::optional<double> number;
  for_each_field(message, [&](const Field& field) {
    if (field.number == single && field.wire == Field::Wire::fixed32) number = field.single();
    if (field.number == real && field.wire == Field::Wire::fixed64) number = field.real();
    if ((field.number == uint32 || field.number == uint64) && field.wire == Field::Wire::varint)
      number = static_cast<double>(field.value);
  });
  if (number && !std::isfinite(*number)) return {};
  return number;
}

// ProfileMetricValue with an address, which a double cannot hold.
std::optional<std::uint64_t> address_of_value(std::string_view message) {
  constexpr FieldNumber uint64 = 5;
  std::optional<std::uint64_t> address;
  for_each_field(message, [&](const Field& field) {
    if (field.number == uint64 && field.wire == Field::Wire::varint) address = field.value;
  });
  return address;
}

// A value at an address, before the kernel's own address is known.
struct ListedMetric {
  std::uint32_t name = 0;
  std::vector<std::pair<std::uint64_t, double>> values;
};

struct MetricLists {
  std::vector<ListedMetric> by_address;
  std::optional<std::uint64_t> entry;  // launch__function_pcs: where the kernel was loaded
};

// Other metrics have lists, too, for example of occupancies by block size. Those of instructions have one of these
// names.
bool is_by_instruction(std::string_view name) {
  constexpr std::string_view prefixes[] = {"inst_executed", "thread_inst_executed", "memory_",
                                           "smsp__pcsamp_", "derived__memory_",     "smsp__sass_"};
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// ProfileMetricListElement
std::optional<std::pair<std::uint64_t, double>> listed_value(std::string_view message) {
  constexpr FieldNumber correlation = 1, element = 2;
  std::optional<std::uint64_t> address;
  std::optional<double> value;
  for_each_field(message, [&](const Field& field) {
    if (field.number == correlation) address = address_of_value(field.bytes);
    if (field.number == element) value = number_of_value(field.bytes);
  });
  if (!address || !value) return {};
  return std::pair{*address, *value};
}

// ProfileMetricResult
void read_metric(std::string_view message, const Report& report, Launch& launch, MetricLists& lists) {
  constexpr FieldNumber name_id = 1, metric_value = 2, list = 3;
  std::optional<std::uint64_t> id;
  std::optional<double> value;
  for_each_field(message, [&](const Field& field) {
    if (field.number == name_id && field.wire == Field::Wire::varint) id = field.value;
    if (field.number == metric_value) value = number_of_value(field.bytes);
  });
  if (!id || *id >= report.metric_names.size()) return;
  const auto name = static_cast<std::uint32_t>(*id);
  if (value) launch.metrics.push_back({name, *value});
  const std::string& text = report.metric_names[name];
  const bool entry = text == "launch__function_pcs";
  if (!entry && !is_by_instruction(text)) return;
  ListedMetric listed{name, {}};
  for_each_field(message, [&](const Field& field) {
    if (field.number != list) return;
    if (entry) {
      constexpr FieldNumber element = 2;
      for_each_field(field.bytes, [&](const Field& part) {
        if (part.number == element && !lists.entry) lists.entry = address_of_value(part.bytes);
      });
    } else if (const auto at = listed_value(field.bytes)) {
      listed.values.push_back(*at);
    }
  });
  if (!listed.values.empty()) lists.by_address.push_back(std::move(listed));
}

// Turns addresses into offsets from the kernel's first instruction. `functions`: of the module, to tell the kernel's
// instructions from those of functions that it calls.
void place_lists(const MetricLists& lists, const Source* source, Launch& launch) {
  std::optional<std::uint64_t> begin = lists.entry;
  if (source != nullptr)
    for (const auto& [name, address] : source->functions)
      if (name == launch.mangled) begin = address;
  if (!begin)
    for (const ListedMetric& listed : lists.by_address)
      for (const auto& [address, value] : listed.values) begin = std::min(begin.value_or(address), address);
  if (!begin) return;
  std::uint64_t end = ~std::uint64_t{0};
  if (source != nullptr)
    for (const auto& [name, address] : source->functions)
      if (address > *begin) end = std::min(end, address);
  for (const ListedMetric& listed : lists.by_address) {
    InstructionMetric placed{listed.name, {}};
    for (const auto& [address, value] : listed.values)
      if (address >= *begin && address < end) placed.values.push_back({address - *begin, value});
    std::ranges::sort(placed.values, {}, &InstructionValue::offset);
    if (!placed.values.empty()) launch.by_instruction.push_back(std::move(placed));
  }
}

// DeviceAttributes
void read_device(std::string_view message, Report& report) {
  constexpr FieldNumber id = 1, device_name = 2, attribute = 3;
  ReportDevice device;
  const bool whole = for_each_field(message, [&](const Field& field) {
    if (field.number == id) device.id = static_cast<std::int64_t>(field.value & 0xffffffff);
    if (field.number == device_name) device.name = string_of(field);
    if (field.number != attribute) return;
    std::string key;
    std::optional<double> value;
    for_each_field(field.bytes, [&](const Field& part) {  // DeviceAttribute: Name = 1, Value = 2
      if (part.number == 1) key = string_of(part);
      if (part.number == 2) value = number_of_value(part.bytes);
    });
    if (value) device.attributes.emplace_back(std::move(key), *value);
  });
  if (whole) report.devices.push_back(std::move(device));
}

// ReportSessionDetails
bool read_session(std::string_view message, Report& report) {
  constexpr FieldNumber created = 2, device = 6, version = 8, command = 11;
  return for_each_field(message, [&](const Field& field) {
    if (field.number == created && field.wire == Field::Wire::varint) report.created = field.value;
    if (field.number == device) read_device(field.bytes, report);
    if (field.number == command && report.command.empty()) report.command = string_of(field);
    if (field.number != version) return;
    std::string provider, text;
    for_each_field(field.bytes, [&](const Field& part) {  // VersionInfo: Provider = 1, Version = 2
      if (part.number == 1) provider = string_of(part);
      if (part.number == 2) text = string_of(part);
    });
    // "2025.3.1.0 (build 36398880) (public-release)"
    if (provider.starts_with("Nsight Compute")) report.version = text.substr(0, text.find(' '));
  });
}

}  // namespace

bool read_block_header(std::string_view header, Report& report, std::uint64_t& process) {
  constexpr FieldNumber session = 3, process_info = 6;
  process = 0;
  return for_each_field(header, [&](const Field& field) {
    if (field.number == session) read_session(field.bytes, report);
    if (field.number == process_info)
      for_each_field(field.bytes, [&](const Field& part) {  // ProcessInfo: ProcessID = 1
        if (part.number == 1 && part.wire == Field::Wire::varint) process = part.value & 0xffffffff;
      });
  });
}

bool read_source(std::string_view message, Report& report) {
  constexpr FieldNumber reference = 1, binary = 4, files = 8, relocations = 9;
  Source read;
  const bool whole = for_each_field(message, [&](const Field& field) {
    if (field.number == reference && field.wire == Field::Wire::varint) read.reference = field.value;
    if (field.number == binary) read.cubin = field.bytes;
    if (field.number == files)
      for_each_field(field.bytes, [&](const Field& file) {  // SourceFiles: Files = 1
        if (file.number != 1) return;
        SourceText text;
        for_each_field(file.bytes, [&](const Field& part) {  // SourceFile: FileName = 1, Content = 2
          if (part.number == 1) text.name = string_of(part);
          if (part.number == 2) text.text = string_of(part);
        });
        read.files.push_back(std::move(text));
      });
    if (field.number == relocations)
      for_each_field(field.bytes, [&](const Field& entry) {  // RelocationData: Functions = 1
        if (entry.number != 1) return;
        std::pair<std::string, std::uint64_t> function;
        for_each_field(entry.bytes, [&](const Field& part) {  // RelocationSymbolEntry: SymbolName = 1, Address = 2
          if (part.number == 1) function.first = string_of(part);
          if (part.number == 2) function.second = part.value;
        });
        read.functions.push_back(std::move(function));
      });
  });
  if (!whole || read.reference == 0) return whole;
  const auto known = std::ranges::find(report.sources, read.reference, &Source::reference);
  if (known == report.sources.end()) {
    report.sources.push_back(std::move(read));
    return true;
  }
  if (known->cubin.empty()) known->cubin = std::move(read.cubin);
  if (known->files.empty()) known->files = std::move(read.files);
  std::ranges::move(read.functions, std::back_inserter(known->functions));
  return true;
}

bool read_launch(std::string_view message, std::uint64_t process, Report& report) {
  constexpr FieldNumber mangled = 5, function = 6, demangled = 7, grid = 10, block = 11, metric = 13, created = 14,
                        source = 15, context = 22, stream = 23;
  Launch launch;
  launch.process = process;
  MetricLists lists;
  std::string_view code;
  const bool whole = for_each_field(message, [&](const Field& field) {
    const auto number = static_cast<std::int64_t>(field.value & 0xffffffff);
    switch (field.number) {
      case mangled: launch.mangled = string_of(field); break;
      case function: launch.function = string_of(field); break;
      case demangled: launch.name = string_of(field); break;
      case grid: launch.grid = three_numbers(field.bytes); break;
      case block: launch.block = three_numbers(field.bytes); break;
      case metric: read_metric(field.bytes, report, launch, lists); break;
      case created: launch.created = field.value; break;
      case source: code = field.bytes; break;
      case context: launch.context = number; break;
      case stream: launch.stream = number; break;
      default: break;
    }
  });
  if (!whole || (launch.mangled.empty() && launch.function.empty() && launch.name.empty())) return false;
  if (launch.name.empty()) launch.name = launch.function.empty() ? launch.mangled : launch.function;
  read_source(code, report);  // mostly only a reference
  for_each_field(code, [&](const Field& field) {
    if (field.number == 1 && field.wire == Field::Wire::varint) launch.source = field.value;
  });
  place_lists(lists, report.source_of(launch), launch);
  report.launches.push_back(std::move(launch));
  return true;
}

}  // namespace warpwalk::trace::ncu
