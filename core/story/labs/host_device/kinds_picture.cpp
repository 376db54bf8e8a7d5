// Pictures of the lab "host-device": the kinds of memory, the platform, and mistakes.
#include <iterator>

#include <fmt/format.h>

#include "core/story/labs/host_device/host_device.h"

namespace warpwalk::story {
namespace {

struct Kind {
  std::string_view key, record;  // record: what an allocation costs; empty: nothing recorded
};
constexpr Kind kinds[] = {
    {"pageable", ""},     {"pinned", "malloc_host"}, {"registered", "host_register"}, {"managed", "malloc_managed"},
    {"device", "malloc"}, {"pool", "malloc_async"}};

constexpr std::string_view attributes[] = {"canMapHostMemory", "concurrentManagedAccess", "pageableMemoryAccess",
                                           "pageableMemoryAccessUsesHostPageTables", "asyncEngineCount"};

// The code of a mistake; its line comes first in `lit`.
struct MistakeCode {
  std::size_t lit;
  std::vector<std::string> lines;
};

const MistakeCode& code_of(std::size_t mistake) {
  // In the order of HostDevice::mistake_keys.
  static const MistakeCode codes[] = {
      {4,
       {"float* data;", "cudaMalloc(&data, 64 << 20);", "cudaFree(data);", "scale<<<65536, 256>>>(data, n);",
        "cudaDeviceSynchronize();"}},
      {5,
       {"float *neighbour, *data;", "cudaMalloc(&neighbour, 4096);", "cudaMalloc(&data, 4096);", "cudaFree(data);",
        "scale<<<4, 256>>>(data, 1024);", "cudaDeviceSynchronize();"}},
      {3,
       {"float* data;", "cudaMalloc(&data, 4096);  // 1,024 floats", "scale<<<8, 256>>>(data, 2048);",
        "cudaDeviceSynchronize();"}},
      {4, {"float* data;", "cudaMalloc(&data, 4096);", "cudaFree(data);", "cudaFree(data);"}},
      {2, {"float* data = (float*)malloc(4096);", "scale<<<4, 256>>>(data, 1024);", "cudaDeviceSynchronize();"}},
      {3, {"float* data;", "cudaMalloc(&data, 4096);", "data[0] = 1;"}},
      {5,
       {"cudaFree(data);", "scale<<<65536, 256>>>(data, n);", "cudaDeviceSynchronize();", "",
        "cudaMalloc(&fresh, 4096);  // a call that is right"}},
      {3,
       {"for (int i = 0; i < 100; ++i) {", "  float* data;", "  cudaMalloc(&data, 1 << 20);",
        "}  // no cudaFree(data)"}},
  };
  static_assert(std::size(codes) == std::size(HostDevice::mistake_keys));
  return codes[mistake];
}

}  // namespace

Panel kinds_panel(const HostDevice& lab) {
  TablePicture table;
  table.columns = {{lab.word("kind_head"), 1.3}, {lab.word("get_head"), 2}, {lab.word("cpu_head"), 1.5},
                   {lab.word("gpu_head"), 1.9},  {"PyTorch", 2.3},          {lab.word("cost_head"), 1.2, true}};
  for (const Kind& kind : kinds) {
    const auto text = [&](std::string_view column) {
      return lab.input.narration.text(fmt::format("{}.kind", HostDevice::name), fmt::format("{}_{}", kind.key, column));
    };
    const records::HostDeviceTime* const time = kind.record.empty() ? nullptr : lab.time(kind.record);
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(text("name")),
                 word_cell(text("get")),
                 word_cell(text("cpu"), Tone::quiet),
                 word_cell(text("gpu"), Tone::quiet),
                 word_cell(text("pytorch")),
                 time == nullptr
                     ? word_cell("–", Tone::quiet)
                     : figure_cell(Figure::recorded(time->returned.median, Unit::nanoseconds, Origin::measured))};
    row.cells[1].code = row.cells[4].code = true;
  }
  return {"", 1, std::move(table)};
}

Panel platform_panel(const HostDevice& lab) {
  TablePicture table;
  table.columns = {{lab.word("attribute_head"), 3.5},
                   {lab.word("here_head"), 0.9, true},
                   {lab.word("meaning_head"), 4.4, false, false, true}};
  for (const std::string_view attribute : attributes) {
    const std::string_view value = lab.record.note(attribute);
    if (value.empty()) continue;
    TableRow& row = table.rows.emplace_back();
    row.cells = {
        word_cell(std::string(attribute)), figure_cell(Figure::recorded(std::string(value), Origin::measured)),
        word_cell(lab.input.narration.text(fmt::format("{}.attribute", HostDevice::name), attribute), Tone::quiet)};
    row.cells[0].code = true;
  }
  return {"", 1, std::move(table)};
}

Panel mistake_code(const HostDevice& lab) {
  const MistakeCode& code = code_of(lab.mistake);
  CodePicture picture;
  picture.columns = {text_column(lab.word("code_head"), code.lines, code.lit)};
  return {"", 1, std::move(picture)};
}

Panel mistake_reason(const HostDevice& lab) {
  TablePicture table;
  table.columns = {{lab.word("why_head"), 1, false, false, true}};
  table.rows.push_back({{word_cell(lab.mistake_text(lab.mistake, "why"))}, false});
  return {"", 1, std::move(table)};
}

Panel mistakes_table(const HostDevice& lab) {
  TablePicture table;
  table.columns = {{lab.word("mistake_head"), 1.2}, {lab.word("gave_head"), 1}};
  for (std::size_t i = 0; i < std::size(HostDevice::mistake_keys); ++i) {
    const std::string_view gave = lab.record.note(fmt::format("mistake_{}", HostDevice::mistake_keys[i]));
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(lab.mistake_text(i, "name")),
                 gave.empty() ? word_cell("–", Tone::quiet)
                              : figure_cell(Figure::recorded(std::string(gave), Origin::measured))};
    row.cells[0].tip = lab.mistake_text(i, "why");
    row.followed = i == lab.mistake;
    row.sets = {{fmt::format("{}.mistake", HostDevice::name), static_cast<double>(i)}};
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
