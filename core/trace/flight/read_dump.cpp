#include "core/trace/flight/read_dump.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/platform/byte_source.h"
#include "core/platform/read_file.h"
#include "core/trace/flight/dump_fields.h"
#include "core/trace/flight/json_document.h"
#include "core/trace/json/window.h"
#include "core/trace/pickle/unpickler.h"

namespace warpwalk::trace::flight {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30;  // of the values of a dump
constexpr std::size_t dump_window = std::size_t{1} << 20;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

struct DumpValues {
  pickle::Value top;
  std::string problem;  // why it could not be read to its end
  bool code = false;    // it would call Python code
};

DumpValues read_pickled_dump(Window& window, pickle::Document& document) {
  pickle::Unpickler unpickler(window, document, most_bytes);
  DumpValues values;
  const auto end = unpickler.run([&] { return document.bytes() + unpickler.bytes() < most_bytes; });
  values.top = unpickler.top();
  switch (end) {
    case pickle::Unpickler::End::complete: break;
    case pickle::Unpickler::End::cut_off:
      values.problem = fmt::format("the pickle is cut off at byte {}", window.offset());
      break;
    case pickle::Unpickler::End::code:
      values.code = true;
      values.problem = fmt::format(
          "the pickle would call Python code ({}), which a dump of the flight recorder never does; nothing of it was "
          "run",
          unpickler.what());
      break;
    case pickle::Unpickler::End::damaged:
      values.problem = fmt::format("the pickle is damaged ({})", unpickler.what());
      break;
    case pickle::Unpickler::End::stopped:
      values.problem = fmt::format("reading stopped at byte {}: the values reached the cap of {}", window.offset(),
                                   base::bytes_text(static_cast<double>(most_bytes)));
      break;
  }
  return values;
}

DumpValues read_json_dump(platform::ByteSource& source, Window& window, pickle::Document& document) {
  while (window.text().size() < platform::max_text_bytes && window.more()) {
  }
  DumpValues values;
  if (window.text().size() >= platform::max_text_bytes) {
    values.problem =
        fmt::format("the JSON is longer than {}", base::bytes_text(static_cast<double>(platform::max_text_bytes)));
    return values;
  }
  std::string_view json = window.text();
  if (json.starts_with(byte_order_mark)) json.remove_prefix(byte_order_mark.size());
  const JsonDocument read = read_json(json, document);
  values.top = read.top;
  if (read.damaged_at)
    values.problem = fmt::format("the JSON is cut off or damaged at byte {}", *read.damaged_at);
  else if (source.end() != platform::ByteSource::End::complete && source.end() != platform::ByteSource::End::none)
    values.problem = "the compressed file is cut off or damaged";
  return values;
}

ReadDump read_source_of_dump(platform::ByteSource& source, const std::filesystem::path& name, Dumps& dumps) {
  Window window(source, dump_window, platform::max_text_bytes);
  window.fill(16);
  pickle::Document document;
  const DumpValues values = pickle::begins_a_pickle(window.text()) ? read_pickled_dump(window, document)
                                                                   : read_json_dump(source, window, document);
  ReadDump result;
  if (values.code) {
    result.error = fmt::format("{}: {}. Give a file that PyTorch wrote", name.string(), values.problem);
    return result;
  }
  if (!is_dump(document, values.top)) {
    result.error = fmt::format("{}: {}", name.string(),
                               values.problem.empty()
                                   ? "is no dump of PyTorch's flight recorder: it has no version and entries"
                                   : values.problem + ", before the entries of the flight recorder; dump it again");
    return result;
  }
  Dump dump = take_dump(document, values.top, dumps.texts);
  dump.file = name;
  if (!values.problem.empty())
    dump.problem =
        fmt::format("{}: {}; the {} calls before it are kept", name.string(), values.problem, dump.calls.size());
  dumps.dumps.push_back(std::move(dump));
  result.is_dump = true;
  return result;
}

}  // namespace

bool begins_a_dump(std::string_view begin) {
  const auto has = [&](std::string_view text) { return begin.find(text) != std::string_view::npos; };
  if (pickle::begins_a_pickle(begin))
    return has("collective_seq_id") || has("pg_config") || has("pg_status") || has("profiling_name");
  if (begin.starts_with(byte_order_mark)) begin.remove_prefix(byte_order_mark.size());
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || begin[first] != '{') return false;
  // The metadata of PyTorch's traces has "pg_config", too.
  if (has("\"traceEvents\"") || has("\"schemaVersion\"") || has("\"distributedInfo\"")) return false;
  return has("\"collective_seq_id\"") || has("\"pg_status\"") || has("\"pg_config\"");
}

bool may_be_dump(const std::filesystem::path& file) {
  if (!platform::check_regular_file(file)) return false;
  const auto source = platform::open_source(file);
  if (!source) return false;
  std::string begin(begin_bytes, '\0');
  std::size_t size = 0;
  while (size < begin.size()) {
    const std::size_t read = (*source)->read(begin.data() + size, begin.size() - size);
    if (read == 0) break;
    size += read;
  }
  return begins_a_dump(std::string_view(begin).substr(0, size));
}

ReadDump read_dump(const std::filesystem::path& file, Dumps& dumps) {
  if (const auto regular = platform::check_regular_file(file); !regular) return {false, regular.error()};
  const auto source = platform::open_source(file);
  if (!source) return {false, source.error()};
  return read_source_of_dump(**source, file, dumps);
}

ReadDump read_dump_text(std::string_view bytes, const std::filesystem::path& name, Dumps& dumps) {
  return read_source_of_dump(*platform::memory_source(bytes), name, dumps);
}

}  // namespace warpwalk::trace::flight
