#include "core/run/measured/pair_launches.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpwalk::run {

bool is_of_kernel(const trace::ncu::Launch& launch, std::string_view kernel) {
  if (kernel.empty()) return false;
  if (launch.mangled == kernel || launch.function == kernel || launch.name == kernel) return true;
  // A CSV has no mangled names.
  if (!launch.mangled.empty()) return false;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(std::string(kernel).c_str(), nullptr, nullptr, &status), &std::free);
  return demangled != nullptr && launch.function == trace::ncu::function_of(demangled.get());
}

std::vector<std::optional<std::size_t>> pair_launches(const std::vector<std::string>& kernels,
                                                      const trace::ncu::Report& report) {
  std::vector<bool> taken(report.launches.size());
  std::vector<std::optional<std::size_t>> rows;
  for (const std::string& kernel : kernels) {
    rows.emplace_back();
    for (std::size_t row = 0; row < taken.size() && !rows.back(); ++row)
      if (!taken[row] && is_of_kernel(report.launches[row], kernel)) rows.back() = row;
    if (rows.back()) taken[*rows.back()] = true;
  }
  return rows;
}

base::Result<std::size_t> chosen_launch(const trace::ncu::Report& report, std::string_view kernel,
                                        std::optional<std::uint64_t> number) {
  if (number) {
    if (*number >= 1 && *number <= report.launches.size()) return static_cast<std::size_t>(*number - 1);
    return base::Error{fmt::format("--ncu-launch {}: the report has {} launch{}", *number, report.launches.size(),
                                   report.launches.size() == 1 ? "" : "es")};
  }
  for (std::size_t row = 0; row < report.launches.size(); ++row)
    if (is_of_kernel(report.launches[row], kernel)) return row;
  constexpr std::size_t most_names = 4;
  std::vector<std::string> names;
  for (const trace::ncu::Launch& launch : report.launches) {
    const std::string& name = launch.function.empty() ? launch.name : launch.function;
    if (names.size() < most_names && std::ranges::count(names, name) == 0) names.push_back(name);
  }
  return base::Error{fmt::format("the report has no launch of {}, but of {}; --ncu-launch N compares with its Nth one",
                                 kernel, fmt::join(names, ", "))};
}

}  // namespace warpwalk::run
