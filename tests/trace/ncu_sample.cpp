#include "tests/trace/ncu_sample.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "core/platform/byte_source.h"
#include "core/platform/read_file.h"
#include "core/trace/ncu/read_report.h"

namespace warpwalk::trace::test {
namespace {

std::string decompressed(std::string_view name) {
  const auto file = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/trace/data/ncu" / name;
  auto text = platform::read_compressed_file(file);
  EXPECT_TRUE(text) << (text ? "" : text.error());
  return text ? std::move(text->text) : std::string();
}

double ncu_unit(std::string_view unit) {
  // Of the base unit: "Kbyte/block" is bytes per block, "us" nanoseconds.
  const std::string_view first = unit.substr(0, unit.find('/'));
  if (first == "us" || first == "Kbyte" || first == "Khz") return 1e3;
  if (first == "ms" || first == "Mbyte" || first == "Mhz") return 1e6;
  if (first == "Gbyte" || first == "Ghz") return 1e9;
  if (first == "Tbyte") return 1e12;
  return 1;
}

std::optional<double> ncu_number(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

std::string ncu_sample() { return decompressed("four_kernels.ncu-rep.gz"); }

ncu::Report read_ncu_sample(std::string_view bytes, Problems& problems) {
  const auto source = platform::memory_source(bytes);
  Window window(*source, 1 << 16, std::uint64_t{64} << 20);
  ncu::ReportRead read = ncu::read_report(window, {}, problems);
  return std::move(read.report);
}

std::vector<std::vector<std::string>> ncu_csv(std::string_view name) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  const std::string text = decompressed(name);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
      rows.back().back() += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      rows.back().emplace_back();
    else if (c == '\n' && !quoted)
      rows.emplace_back(1);
    else
      rows.back().back() += c;
  }
  rows.pop_back();
  return rows;
}

std::vector<std::map<std::string, double>> ncu_raw_values() {
  const std::vector<std::vector<std::string>> rows = ncu_csv("four_kernels.raw.csv.gz");
  std::vector<std::map<std::string, double>> launches;
  for (std::size_t row = 2; row < rows.size(); ++row) {
    std::map<std::string, double>& launch = launches.emplace_back();
    for (std::size_t i = 0; i < rows[0].size(); ++i)
      if (const auto value = ncu_number(rows[row][i])) launch[rows[0][i]] = *value * ncu_unit(rows[1][i]);
  }
  return launches;
}

}  // namespace warpwalk::trace::test
