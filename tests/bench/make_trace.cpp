#include "tests/bench/make_trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace warpwalk::bench {
namespace {

constexpr std::uint64_t copy_distance_us = 10000;

// The numbers that differ between copies. IDs that refer to the same thing share a kind and therefore an offset.
enum class Number { time, external_id, correlation, flow_id, event_index, python_id };
constexpr std::size_t kinds_of_number = 6;

struct Key {
  std::string_view text;
  Number number;
};
constexpr std::array<Key, 8> keys = {{
    {"\"ts\": ", Number::time},
    {"\"External id\": ", Number::external_id},
    {"\"correlation\": ", Number::correlation},
    {"\"wait_on_cuda_event_record_corr_id\": ", Number::correlation},
    {"\"id\": ", Number::flow_id},
    {"\"Ev Idx\": ", Number::event_index},
    {"\"Python id\": ", Number::python_id},
    {"\"Python parent id\": ", Number::python_id},
}};

/// Text that is the same in every copy, followed by a number that differs.
struct Piece {
  std::string text;
  std::uint64_t value = 0;
  Number number = Number::time;
};
struct Event {
  std::vector<Piece> pieces;
  std::string tail;
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string text_of(const std::filesystem::path& file) {
  const gzFile in = gzopen(file.c_str(), "rb");
  if (in == nullptr) throw std::runtime_error(file.string() + ": cannot be opened");
  std::string text;
  std::array<char, 1 << 16> block;
  int n = 0;
  while ((n = gzread(in, block.data(), block.size())) > 0) text.append(block.data(), static_cast<std::size_t>(n));
  gzclose_r(in);
  if (n < 0) throw std::runtime_error(file.string() + ": cannot be read");
  return text;
}

/// The elements of the array that begins at text[from], as raw text between the commas. Moves `from` to the array's
/// end.
std::vector<std::string_view> elements(std::string_view text, std::size_t& from) {
  std::vector<std::string_view> found;
  std::size_t begin = from;
  bool in_string = false;
  for (int depth = 0; from < text.size(); ++from) {
    const char c = text[from];
    if (in_string) {
      if (c == '\\') ++from;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || (c == ']' && depth > 0)) {
      --depth;
    } else if (depth == 0 && (c == ',' || c == ']')) {
      found.push_back(text.substr(begin, from - begin));
      begin = from + 1;
      if (c == ']') return found;
    }
  }
  throw std::runtime_error("the sample's traceEvents do not end");
}

Event event_of(std::string_view text) {
  Event event;
  std::size_t from = 0;  // start of the text that is not in a piece yet
  for (std::size_t quote = text.find('"'); quote != std::string_view::npos; quote = text.find('"', quote + 1)) {
    const std::string_view rest = text.substr(quote);
    const auto* const key =
        std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return rest.starts_with(k.text); });
    if (key == keys.end()) continue;
    std::uint64_t value = 0;
    const char* const digits = rest.data() + key->text.size();
    const auto [end, error] = std::from_chars(digits, text.data() + text.size(), value);
    if (error != std::errc{}) continue;  // null or a string
    event.pieces.push_back(
        {std::string(text.substr(from, static_cast<std::size_t>(digits - text.data()) - from)), value, key->number});
    from = static_cast<std::size_t>(end - text.data());
  }
  event.tail = text.substr(from);
  return event;
}

void append_number(std::string& out, std::uint64_t value) {
  std::array<char, 20> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

}  // namespace

void make_trace(const std::filesystem::path& sample, std::uint64_t events, const std::filesystem::path& out) {
  const std::string text = text_of(sample);
  constexpr std::string_view opening = "\"traceEvents\": [";
  std::size_t at = text.find(opening);
  if (at == std::string::npos) throw std::runtime_error(sample.string() + ": has no traceEvents");
  at += opening.size();
  const std::string_view head = std::string_view(text).substr(0, at);

  // The profiler writes the recorded events first, then the names of processes and threads and its own spans; those are
  // written only once.
  std::vector<Event> repeated;
  std::vector<std::string_view> once;
  std::array<std::uint64_t, kinds_of_number> distance{};
  for (const std::string_view element : elements(text, at)) {
    if (!once.empty() || element.find("\"ph\": \"M\"") != std::string_view::npos) {
      once.push_back(element);
      continue;
    }
    repeated.push_back(event_of(element));
    for (const Piece& piece : repeated.back().pieces) {
      std::uint64_t& largest = distance[static_cast<std::size_t>(piece.number)];
      largest = std::max(largest, piece.value + 1);
    }
  }
  distance[static_cast<std::size_t>(Number::time)] = copy_distance_us;
  if (repeated.empty() || events < once.size())
    throw std::runtime_error("a copy of " + sample.string() + " has at least " + std::to_string(once.size()) +
                             " events");

  // Written under another name and then renamed, so that the file is never incomplete.
  std::filesystem::path aside = out;
  aside += ".partial";
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(aside.c_str(), "wb"));
  if (!file) throw std::runtime_error(aside.string() + ": cannot be written");
  std::string buffer(head);
  const auto flush = [&] {
    if (std::fwrite(buffer.data(), 1, buffer.size(), file.get()) != buffer.size())
      throw std::runtime_error(aside.string() + ": cannot be written; is the disk full?");
    buffer.clear();
  };
  std::uint64_t written = 0;
  const auto separate = [&] {
    if (written++ != 0) buffer.push_back(',');
  };
  for (std::uint64_t copy = 0; written + once.size() < events; ++copy) {
    for (const Event& event : repeated) {
      if (written + once.size() == events) break;
      separate();
      for (const Piece& piece : event.pieces) {
        buffer += piece.text;
        append_number(buffer, piece.value + copy * distance[static_cast<std::size_t>(piece.number)]);
      }
      buffer += event.tail;
    }
    flush();
  }
  for (const std::string_view element : once) {
    separate();
    buffer += element;
  }
  buffer += std::string_view(text).substr(at);
  flush();
  if (std::fflush(file.get()) != 0) throw std::runtime_error(aside.string() + ": cannot be written; is the disk full?");
  std::filesystem::rename(aside, out);
}

std::filesystem::path real_sample() { return WARPWALK_BENCH_SAMPLE; }

}  // namespace warpwalk::bench
