#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::trace::ncu {

/// A value of a launch, in the metric's base unit: ns, bytes, cycles. A row of Report::metric_names.
struct Metric {
  std::uint32_t name = 0;
  double value = 0;
};

/// A value at one machine instruction.
struct InstructionValue {
  std::uint64_t offset = 0;  ///< bytes from the start of the kernel
  double value = 0;
};

/// A metric that was collected for each machine instruction. Instructions of functions that the kernel calls are left
/// out.
struct InstructionMetric {
  std::uint32_t name = 0;
  std::vector<InstructionValue> values;
};

/// The values of a metric by source line, from 1.
struct LineMetric {
  std::uint32_t name = 0;
  std::vector<std::pair<std::uint64_t, double>> values;
};

/// What the CSV of ncu's source page has of a source file: its lines that have code, and their metrics. Reports do not
/// have it; their lines follow from the instructions and the machine code.
struct SourceLines {
  std::string file;
  std::vector<std::pair<std::uint64_t, std::string>> texts;
  std::vector<LineMetric> metrics;
};

/// A launch that Nsight Compute measured.
struct Launch {
  std::string mangled;   ///< the name in the machine code
  std::string function;  ///< the name without arguments
  std::string name;      ///< demangled, with its arguments
  std::array<std::uint64_t, 3> grid{}, block{};
  std::uint64_t process = 0;      ///< its id; 0: the file does not say
  std::int64_t context = absent;  ///< the number of the CUDA context
  std::int64_t stream = absent;
  std::uint64_t source = 0;     ///< Source::reference; 0: none
  std::uint64_t created = 0;    ///< seconds since 1970; 0: not known
  std::vector<Metric> metrics;  ///< those with a number, in the file's order
  std::vector<InstructionMetric> by_instruction;
  std::vector<SourceLines> by_line;  ///< by file, the kernel's own first
};

/// A text file of a program. `text` is there if Nsight Compute ran with --import-source.
struct SourceText {
  std::string name;
  std::string text;
};

/// The code of a module.
struct Source {
  std::uint64_t reference = 0;
  std::string cubin;
  std::vector<SourceText> files;
  std::vector<std::pair<std::string, std::uint64_t>>
      functions;  ///< mangled names and the addresses they were loaded at
};

/// A GPU with its attributes ("device__attribute_multiprocessor_count" ...).
struct ReportDevice {
  std::int64_t id = 0;
  std::string name;
  std::vector<std::pair<std::string, double>> attributes;

  std::optional<double> attribute(std::string_view attribute_name) const;
};

/// The contents of a report of Nsight Compute.
struct Report {
  std::string version;        ///< of Nsight Compute, e.g. "2025.3.1.0"; empty: not known
  std::string command;        ///< the command line of ncu; empty: not known
  std::uint64_t created = 0;  ///< seconds since 1970; 0: not known
  std::vector<ReportDevice> devices;
  std::vector<std::string> metric_names;
  std::vector<Launch> launches;  ///< in the order in which they ran
  std::vector<Source> sources;
  bool from_csv = false;  ///< printed by ncu as CSV: without code, and ncu's options are not known

  /// The value of a metric; nullopt if it was not collected.
  std::optional<double> value(const Launch& launch, std::string_view metric) const;
  /// The values of a metric by instruction; null if it was not collected so.
  const InstructionMetric* by_instruction(const Launch& launch, std::string_view metric) const;
  /// The code of a launch; null if the file does not have it.
  const Source* source_of(const Launch& launch) const;
  /// The GPU of a launch; null if the file does not describe it.
  const ReportDevice* device_of(const Launch& launch) const;
  /// Whether ncu emptied the caches before each launch, which it does unless it runs with --cache-control none.
  bool caches_flushed() const;
  /// "Nsight Compute 2025.3.1.0".
  std::string measured_by() const;
  /// Bytes held, about.
  std::size_t bytes() const;
};

/// A demangled name without its result, its arguments and those of a template: "ns::f" of "void ns::f<int>(int *)".
std::string function_of(std::string_view name);

}  // namespace warpwalk::trace::ncu
