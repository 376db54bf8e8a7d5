#include "core/records/triton_record.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/platform/read_file.h"
#include "core/records/record_table.h"

namespace warpwalk::records {
namespace {

using TritonRow = std::vector<std::string_view>;
using TritonRows = std::vector<TritonRow>;

// The numbers of a row from a cell on; none if one of them is not a number.
template <std::size_t count>
std::optional<std::array<double, count>> numbers_in(const TritonRow& row, std::size_t from) {
  std::array<double, count> values;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<double> value = number_in(row[from + i]);
    if (!value || *value > 1e12) return {};
    values[i] = *value;
  }
  return values;
}

base::Error triton_error(std::size_t row, std::string_view expected) {
  return {fmt::format("line {}: expected {}", row + 2, expected)};
}

int whole(double value) { return static_cast<int>(std::min(value, 1e9)); }

}  // namespace

std::string TunedConfig::text() const {
  return fmt::format("{} × {} × {}, {} × {}", block_m, block_n, block_k, warps, stages);
}

const KernelLaunch* TritonRecord::find(std::string_view language, std::string_view kernel, int block, int warps,
                                       bool even) const {
  const auto found = std::ranges::find_if(launches, [&](const KernelLaunch& one) {
    return one.language == language && one.kernel == kernel && one.block == block && one.warps == warps &&
           (std::fmod(one.elements, 16) == 0) == even;
  });
  return found == launches.end() ? nullptr : &*found;
}

const OpStep* TritonRecord::find(std::string_view op, std::string_view step) const {
  const auto found = std::ranges::find_if(steps, [&](const OpStep& one) { return one.op == op && one.step == step; });
  return found == steps.end() ? nullptr : &*found;
}

std::string_view TritonRecord::text(std::string_view name) const {
  const auto found = texts.find(name);
  return found == texts.end() ? std::string_view() : std::string_view(found->second);
}

base::Result<std::vector<KernelLaunch>> parse_kernel_launches(std::string_view text) {
  const auto read = record_rows(text,
                                "language,kernel,block,warps,elements,grid,time_us,registers,spills,per_thread,loads,"
                                "vector_loads,simulated_elements,instructions,requests,sectors");
  if (!read) return base::Error{read.error()};
  std::vector<KernelLaunch> launches;
  for (const TritonRow& row : *read) {
    const auto values = numbers_in<14>(row, 2);
    // Sizes and times are divided by.
    if (!values || std::ranges::any_of(std::array{0, 1, 2, 4, 7, 10},
                                       [&](int i) { return (*values)[static_cast<std::size_t>(i)] <= 0; }))
      return triton_error(launches.size(), "a language, a kernel and fourteen numbers");
    const auto& [block, warps, elements, grid, us, registers, spills, per_thread, loads, vectors, simulated,
                 instructions, requests, sectors] = *values;
    launches.push_back({std::string(row[0]), std::string(row[1]), whole(block), whole(warps), elements, grid, us,
                        whole(registers), whole(spills), whole(per_thread), whole(loads), whole(vectors), simulated,
                        instructions, requests, sectors});
  }
  return launches;
}

base::Result<std::vector<TunedConfig>> parse_tuned_configs(std::string_view text) {
  const auto read = record_rows(text,
                                "size,block_m,block_n,block_k,warps,stages,registers,spills,shared_bytes,time_us,"
                                "autotuner_us,cublas_us,chosen");
  if (!read) return base::Error{read.error()};
  std::vector<TunedConfig> configs;
  for (const TritonRow& row : *read) {
    const auto values = numbers_in<13>(row, 0);
    if (!values || (*values)[0] <= 0 || (*values)[9] <= 0) return triton_error(configs.size(), "thirteen numbers");
    const auto& [size, m, n, k, warps, stages, registers, spills, shared, us, autotuner, cublas, chosen] = *values;
    configs.push_back({whole(size), whole(m), whole(n), whole(k), whole(warps), whole(stages), whole(registers),
                       whole(spills), shared, us, autotuner, cublas, chosen == 1});
  }
  return configs;
}

base::Result<std::vector<OpStep>> parse_op_steps(std::string_view text) {
  const auto read = record_rows(text, "op,step,ok,result,more");
  if (!read) return base::Error{read.error()};
  std::vector<OpStep> steps;
  for (const TritonRow& row : *read) {
    if (row[0].empty() || row[1].empty() || (row[2] != "0" && row[2] != "1"))
      return triton_error(steps.size(), "an op, a step, and 0 or 1");
    steps.push_back(
        {std::string(row[0]), std::string(row[1]), row[2] == "1", std::string(row[3]), std::string(row[4])});
  }
  return steps;
}

base::Result<std::vector<LineKernel>> parse_line_kernels(std::string_view text) {
  const auto read =
      record_rows(text, "line,way,kernel,time_us,cycles,read_bytes,written_bytes,instructions,registers,grid,block");
  if (!read) return base::Error{read.error()};
  std::vector<LineKernel> kernels;
  for (const TritonRow& row : *read) {
    const auto values = numbers_in<8>(row, 3);
    if (!values || (*values)[0] <= 0) return triton_error(kernels.size(), "a line, a way, a kernel and eight numbers");
    const auto& [us, cycles, bytes_read, written, instructions, registers, grid, block] = *values;
    std::string kernel(row[2]);
    std::ranges::replace(kernel, ';', ',');  // commas separate columns
    kernels.push_back({std::string(row[0]), std::string(row[1]), std::move(kernel), us, cycles, bytes_read, written,
                       instructions, whole(registers), grid, block});
  }
  return kernels;
}

std::map<std::string, std::string, std::less<>> parse_texts(std::string_view text) {
  std::map<std::string, std::string, std::less<>> texts;
  std::string* here = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.starts_with("== ")) {
      const std::size_t last = line.find_last_not_of("\r\n");
      here = &texts[std::string(line.substr(3, last - 2))];
    } else if (here != nullptr) {
      *here += line;
    }
  }
  return texts;
}

std::pair<std::shared_ptr<const TritonRecord>, std::optional<std::string>> load_triton_record(
    const std::filesystem::path& folder) {
  TritonRecord record;
  std::optional<std::string> first_error;
  const auto read = [&](const char* name, const auto& parse, auto& to) {
    const auto text = platform::read_text_file(folder / name);
    if (!text) return;
    auto parsed = parse(text->text);
    if (parsed)
      to = std::move(*parsed);
    else if (!first_error)
      first_error = fmt::format("{}: {}", (folder / name).string(), parsed.error());
  };
  read("h200_kernels.csv", parse_kernel_launches, record.launches);
  read("h200_autotune.csv", parse_tuned_configs, record.tuned);
  read("h200_ops.csv", parse_op_steps, record.steps);
  read("h200_compile.csv", parse_line_kernels, record.lines);
  if (const auto texts = platform::read_compressed_file(folder / "h200_texts.txt.gz"); texts)
    record.texts = parse_texts(texts->text);
  for (const char* const name : {"kernels.py", "kernels.cu"})
    if (const auto source = platform::read_text_file(folder / name); source) record.texts[name] = source->text;
  if (record.launches.empty() || record.tuned.empty() || record.steps.empty()) return {nullptr, first_error};
  return {std::make_shared<const TritonRecord>(std::move(record)), first_error};
}

}  // namespace warpwalk::records
