#include "core/trace/read/read_trace.h"

#include <memory>
#include <utility>

#include "core/platform/byte_source.h"
#include "core/trace/json/window.h"
#include "core/trace/read/formats.h"

namespace warpwalk::trace {
namespace {

// Reads so much of the text that its format can be told: of JSON the first key, of other text the first lines, because
// output of a program can stand before ncu's.
void fill_for_format(Window& window) {
  constexpr std::size_t signature = 16, first_key = 64, first_lines = std::size_t{1} << 16;
  window.fill(signature);
  if (&format_of(window.text().substr(0, signature)) != &formats().back()) return;
  const std::size_t first = window.text().find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return;
  const char begin = window.text()[first];
  window.fill(begin == '[' ? signature : begin == '{' ? first_key : first_lines);
}

ReadResult read_source(platform::ByteSource& source, std::variant<std::filesystem::path, std::string_view> origin,
                       std::string_view name, const ReadOptions& options) {
  ReadResult result;
  Window window(source, options.window_bytes, options.entry_cap_bytes);
  fill_for_format(window);
  FormatInput input{source, window, std::move(origin), name, options};
  format_of(window.text()).read(input, result);
  return result;
}

}  // namespace

ReadResult read_trace(const std::filesystem::path& file, const ReadOptions& options) {
  auto opened = platform::open_source(file);
  if (!opened) {
    ReadResult result;
    result.error = opened.error();
    return result;
  }
  return read_source(**opened, file, file.string(), options);
}

ReadResult read_trace_text(std::string_view bytes, const ReadOptions& options, std::string_view name) {
  return read_source(*platform::memory_source(bytes), bytes, name, options);
}

}  // namespace warpwalk::trace
