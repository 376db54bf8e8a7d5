#include "instrumentation/simulated/engine/library_times.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace warpwalk::simulated {
namespace {

/// Takes the text up to a separator off the front.
std::string_view take_until(std::string_view& rest, char separator) {
  const std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return part;
}

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, [&](char one, char other) { return lower(one) == lower(other); });
}

/// " with cuBLAS 13.1.0": the part of "NVIDIA H200; cuBLAS 13.1.0; cuDNN 9.19.0" about a call's library.
std::string library_version(std::string_view head, std::string_view call) {
  const std::string_view library = call.substr(0, call.find(' '));
  take_until(head, ';');
  while (!head.empty()) {
    std::string_view part = take_until(head, ';');
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    if (same_letters(part.substr(0, part.find(' ')), library)) return fmt::format(" with {}", part);
  }
  return {};
}

}  // namespace

LibraryTimes LibraryTimes::of_device(const std::filesystem::path& description) {
  const std::filesystem::path file =
      description.parent_path().parent_path() / "libraries" / (description.stem().string() + ".csv");
  std::ifstream in(file, std::ios::binary);
  return parse(std::string((std::istreambuf_iterator<char>(in)), {}));
}

LibraryTimes LibraryTimes::parse(std::string_view text) {
  LibraryTimes times;
  std::string_view head = take_until(text, '\n');
  if (!head.starts_with("# ")) return times;
  head.remove_prefix(2);
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    const std::string_view call = take_until(line, ','), number = take_until(line, ',');
    std::int64_t ns = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), ns);
    if (call.empty() || read.ec != std::errc() || read.ptr != number.data() + number.size() || ns <= 0) continue;
    if (line.size() >= 2 && line.front() == '"') line = line.substr(1, line.rfind('"') - 1);
    times.times_[std::string(call)] = {ns, fmt::format("measured on an {}{}, kernel {}", head.substr(0, head.find(';')),
                                                       library_version(head, call), line)};
  }
  return times;
}

const LibraryTime* LibraryTimes::find(std::string_view call) const {
  const auto found = call.empty() ? times_.end() : times_.find(call);
  return found == times_.end() ? nullptr : &found->second;
}

}  // namespace warpwalk::simulated
