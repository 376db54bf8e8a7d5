#include "instrumentation/cupti_names.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>
#include <fmt/format.h>

namespace warpwalk::instrumentation {
namespace {

struct EnumName {
  std::uint32_t number;
  std::string_view name;
};

template <std::size_t n>
std::string find_name(const EnumName (&table)[n], std::uint32_t number) {
  for (const EnumName& row : table)
    if (row.number == number) return std::string(row.name);
  return "kind " + std::to_string(number);
}

}  // namespace

std::string copy_kind_name(std::uint32_t kind) {
  static constexpr EnumName table[] = {{1, "HtoD"}, {2, "DtoH"}, {3, "HtoA"}, {4, "AtoH"}, {5, "AtoA"},
                                       {6, "AtoD"}, {7, "DtoA"}, {8, "DtoD"}, {9, "HtoH"}, {10, "PtoP"}};
  return find_name(table, kind);
}

std::string memory_kind_name(std::uint32_t kind) {
  static constexpr EnumName table[] = {{0, "Unknown"}, {1, "Pageable"}, {2, "Pinned"},        {3, "Device"},
                                       {4, "Array"},   {5, "Managed"},  {6, "Device Static"}, {7, "Managed Static"}};
  return find_name(table, kind);
}

std::string sync_kind_name(std::uint32_t kind) {
  static constexpr EnumName table[] = {
      {1, "Event Sync"}, {2, "Stream Wait Event"}, {3, "Stream Sync"}, {4, "Context Sync"}};
  return find_name(table, kind);
}

std::string overhead_kind_name(std::uint32_t kind) {
  static constexpr EnumName table[] = {{1, "Driver Compiler"},
                                       {1u << 16, "Buffer Flush"},
                                       {2u << 16, "Instrumentation"},
                                       {3u << 16, "Resource"},
                                       {4u << 16, "Runtime Triggered Module Loading"},
                                       {5u << 16, "Lazy Function Loading"},
                                       {6u << 16, "Command Buffer Full"},
                                       {7u << 16, "Activity Buffer Request"},
                                       {8u << 16, "UVM Activity Init"}};
  return find_name(table, kind);
}

std::string memory_operation_name(std::uint32_t operation) {
  static constexpr EnumName table[] = {{1, "allocation"}, {2, "release"}};
  return find_name(table, operation);
}

std::string pool_operation_name(std::uint32_t operation) {
  static constexpr EnumName table[] = {{1, "pool created"}, {2, "pool destroyed"}, {3, "pool trimmed"}};
  return find_name(table, operation);
}

std::string cupti_version_name(std::uint32_t api) {
  // 130001 is 13.0 update 1.
  return api >= 130000 ? fmt::format("CUPTI {}.{}", api / 10000, api % 10000 / 100)
                       : fmt::format("CUPTI (API {})", api);
}

std::string_view strip_version_suffix(std::string_view name) {
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  // The suffix is the CUDA version that introduced the function: four or five digits.
  if (const std::size_t v = name.rfind("_v");
      v != std::string_view::npos && name.size() - v >= 6 && digits(name.substr(v + 2)))
    name = name.substr(0, v);
  for (const std::string_view ending : {"_ptsz", "_ptds"})
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  return name;
}

std::string demangle(std::string_view name) {
  const std::string text(name);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status),
                                                          &std::free);
  // Without the _Z prefix, __cxa_demangle would decode the name as a type.
  return name.starts_with("_Z") && status == 0 && plain != nullptr ? plain.get() : text;
}

}  // namespace warpwalk::instrumentation
