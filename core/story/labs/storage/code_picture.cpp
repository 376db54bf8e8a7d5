// Pictures of the lab "storage": the calls.
#include <fmt/format.h>

#include "core/story/labs/storage/storage.h"

namespace warpwalk::story {
namespace {

// A line of the program, and the key of its explanation.
struct CodeCall {
  const char* line;
  std::string_view key;
  bool per_chunk = false;
};

const std::vector<CodeCall>& calls_of(std::size_t route) {
  static const std::vector<CodeCall> buffered = {{"int file = open(path, O_RDONLY);", "open"},
                                                 {"cudaMallocHost(&pinned, chunk);", "malloc_host"},
                                                 {"cudaMalloc(&data, size);", "malloc"},
                                                 {"pread(file, pinned, chunk, at);", "pread", true},
                                                 {"cudaMemcpyAsync(data + at, pinned, chunk, ...);", "memcpy", true},
                                                 {"cudaStreamSynchronize(stream);", "synchronize", true},
                                                 {"close(file);", "close"}};
  static const std::vector<CodeCall> direct = {{"int file = open(path, O_RDONLY | O_DIRECT);", "open_direct"},
                                               {"cudaMallocHost(&pinned, chunk);", "malloc_host"},
                                               {"cudaMalloc(&data, size);", "malloc"},
                                               {"pread(file, pinned, chunk, at);", "pread_direct", true},
                                               {"cudaMemcpyAsync(data + at, pinned, chunk, ...);", "memcpy", true},
                                               {"cudaStreamSynchronize(stream);", "synchronize", true},
                                               {"close(file);", "close"}};
  static const std::vector<CodeCall> gds = {{"cuFileDriverOpen();", "driver_open"},
                                            {"int file = open(path, O_RDONLY | O_DIRECT);", "open_direct"},
                                            {"cuFileHandleRegister(&handle, &descriptor);", "handle"},
                                            {"cudaMalloc(&data, size);", "malloc"},
                                            {"cuFileBufRegister(data, size, 0);", "buffer"},
                                            {"cuFileRead(handle, data, chunk, at, at);", "read", true},
                                            {"cuFileBufDeregister(data);", "buffer_close"},
                                            {"cuFileHandleDeregister(handle);", "handle_close"},
                                            {"cuFileDriverClose();", "driver_close"}};
  return route == 0 ? buffered : route == 1 ? direct : gds;
}

std::size_t followed_call(const Storage& lab) {
  return std::min(static_cast<std::size_t>(lab.call), calls_of(lab.chosen).size() - 1);
}

}  // namespace

Panel code_panel(const Storage& lab) {
  std::vector<std::string> lines;
  for (const CodeCall& call : calls_of(lab.chosen)) lines.emplace_back(call.line);
  CodePicture picture;
  picture.columns = {text_column(lab.route_text(lab.chosen), std::move(lines), followed_call(lab) + 1)};
  return {"", 1.1, std::move(picture)};
}

Panel call_table(const Storage& lab) {
  TablePicture table;
  table.columns = {{lab.word("call_head"), 3, false, false, true}, {lab.word("times_head"), 1, true}};
  const std::vector<CodeCall>& calls = calls_of(lab.chosen);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    // Without GPUDirect Storage, cuFile's read works differently.
    const std::string key(calls[i].key == "read" && !lab.available ? "read_compatibility" : calls[i].key);
    table.rows.push_back({{word_cell(lab.input.narration.text(fmt::format("{}.call", Storage::name), key)),
                           calls[i].per_chunk ? figure_cell(Figure::derived(static_cast<double>(lab.now().chunks),
                                                                            Unit::count, lab.word("times_formula")))
                                              : number_cell(1, Tone::quiet)},
                          i == followed_call(lab),
                          {},
                          {{fmt::format("{}.call", Storage::name), static_cast<double>(i)}}});
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
