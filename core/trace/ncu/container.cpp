#include "core/trace/ncu/container.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::trace::ncu {
namespace {

constexpr std::string_view report_magic("NVR\0", 4);
constexpr std::size_t size_bytes = 4;

std::uint32_t size_at(std::string_view bytes) {
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) size |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return size;
}

// The fields of BlockHeader that say what follows it.
struct PayloadCounts {
  std::uint64_t sources = 0, launches = 0, others = 0, bytes = 0;
};

bool read_counts(std::string_view header, PayloadCounts& counts, std::vector<std::string_view>& strings) {
  enum : std::uint32_t {
    num_sources = 1,
    num_results = 2,
    string_table = 4,
    payload_size = 5,
    num_ranges = 7,
    num_command_lists = 8,
    num_graphs = 9
  };
  return for_each_field(header, [&](const Field& field) {
    switch (field.number) {
      case num_sources: counts.sources = field.value; break;
      case num_results: counts.launches = field.value; break;
      case payload_size: counts.bytes = field.value; break;
      case num_ranges:
      case num_command_lists:
      case num_graphs: counts.others += field.value & 0xffffffff; break;
      case string_table:  // ProfilerStringTable: Strings = 1
        for_each_field(field.bytes, [&](const Field& text) {
          if (text.number == 1) strings.push_back(text.bytes);
        });
        break;
      default: break;
    }
  });
}

}  // namespace

bool is_report(std::string_view first_bytes) { return first_bytes.starts_with(report_magic); }

bool Container::ask(std::uint64_t bytes) {
  window_.fill(bytes);
  return window_.text().size() >= bytes;
}

bool Container::skip(std::uint64_t bytes) {
  while (bytes > 0) {
    if (window_.text().empty() && !window_.more()) return false;
    const std::size_t step = std::min<std::uint64_t>(bytes, window_.text().size());
    window_.drop(step);
    bytes -= step;
  }
  return true;
}

std::optional<Block> Container::fail(std::string what, bool cut_off) {
  damage_ = std::move(what);
  cut_off_ = cut_off;
  return {};
}

bool Container::begin() {
  begun_ = true;
  if (!ask(report_magic.size() + size_bytes)) return false;
  const std::uint64_t header = size_at(window_.text().substr(report_magic.size()));
  window_.drop(report_magic.size() + size_bytes);
  // FileHeader has only a version. All versions so far have the same fields with the same numbers.
  return skip(header);
}

std::optional<Block> Container::next() {
  if (!damage_.empty()) return {};
  if (!begun_ && !begin()) return fail("the report ends within its header; copy it again, or profile again", true);
  window_.drop(std::exchange(last_, 0));
  for (;;) {
    if (!ask(1)) return {};
    const std::uint64_t at = window_.offset();
    const auto ends_within = [&] { return fmt::format("the report ends within the block at byte {}", at); };
    if (!ask(size_bytes)) return fail(ends_within(), true);
    const std::uint64_t header_bytes = size_at(window_.text());
    if (!ask(size_bytes + header_bytes)) {
      if (window_.complete()) return fail(ends_within(), true);
      return fail(fmt::format("the block at byte {} claims a header of {} bytes", at, header_bytes), false);
    }
    Block block;
    PayloadCounts counts;
    if (!read_counts(window_.text().substr(size_bytes, header_bytes), counts, block.strings))
      return fail(fmt::format("the header of the block at byte {} is no message", at), false);
    const std::uint64_t all = size_bytes + header_bytes + counts.bytes;
    const bool whole = ask(all);
    if (!whole && !window_.complete()) {  // larger than the window's cap
      ++skipped_;
      ++blocks_;
      if (!skip(all)) return fail(ends_within(), true);
      continue;
    }
    // The window may have moved.
    block.header = window_.text().substr(size_bytes, header_bytes);
    block.strings.clear();
    read_counts(block.header, counts = {}, block.strings);
    std::string_view payload = window_.text().substr(size_bytes + header_bytes, counts.bytes);
    bool fits = true;
    const auto take = [&](std::uint64_t count, std::vector<std::string_view>& messages) {
      for (; count > 0 && fits; --count) {
        fits = payload.size() >= size_bytes && payload.size() - size_bytes >= size_at(payload);
        if (!fits) return;
        messages.push_back(payload.substr(size_bytes, size_at(payload)));
        payload.remove_prefix(size_bytes + messages.back().size());
      }
    };
    take(counts.sources, block.sources);
    take(counts.launches, block.launches);
    block.other_results = counts.others;
    last_ = std::min<std::uint64_t>(all, window_.text().size());
    ++blocks_;
    if (!whole)
      fail(ends_within(), true);
    else if (!fits)
      fail(fmt::format("the block at byte {} has fewer messages than its header says", at), false);
    return block;
  }
}

}  // namespace warpwalk::trace::ncu
