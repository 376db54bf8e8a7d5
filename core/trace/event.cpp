#include "core/trace/event.h"

#include <array>
#include <charconv>
#include <limits>

namespace warpwalk::trace {
namespace {

struct NamedKey {
  std::string_view name;
  ArgKey key;
};

// Spellings of PyTorch 1.8 to 2.11, and warpwalk's own.
constexpr NamedKey named_keys[] = {
    {"External id", ArgKey::external_id},
    {"external id", ArgKey::external_id},
    {"Sequence number", ArgKey::sequence},
    {"Fwd thread id", ArgKey::forward_thread},
    {"Record function id", ArgKey::record_function},
    {"Ev Idx", ArgKey::event_index},
    {"Input Dims", ArgKey::input_dims},
    {"Input dims", ArgKey::input_dims},
    {"Input Strides", ArgKey::input_strides},
    {"Input type", ArgKey::input_types},
    {"Concrete Inputs", ArgKey::concrete_inputs},
    {"Call stack", ArgKey::call_stack},
    {"Module Hierarchy", ArgKey::module_hierarchy},
    {"warpwalk dispatch", ArgKey::dispatch},
    {"Python id", ArgKey::python_id},
    {"Python parent id", ArgKey::python_parent},
    {"Python module id", ArgKey::python_module},
    {"Python thread", ArgKey::python_thread},
    {"cbid", ArgKey::cbid},
    {"correlation", ArgKey::correlation},
    {"queued", ArgKey::queued},
    {"warpwalk submitted", ArgKey::submitted},
    {"device", ArgKey::device},
    {"context", ArgKey::context},
    {"stream", ArgKey::stream},
    {"registers per thread", ArgKey::registers},
    {"shared memory", ArgKey::shared_bytes},
    {"blocks per SM", ArgKey::blocks_per_sm},
    {"warps per SM", ArgKey::warps_per_sm},
    {"grid", ArgKey::grid},
    {"block", ArgKey::block},
    {"est. achieved occupancy %", ArgKey::occupancy},
    {"graph id", ArgKey::graph_id},
    {"graph node id", ArgKey::graph_node},
    {"priority", ArgKey::priority},
    {"warpwalk record", ArgKey::record},
    {"bytes", ArgKey::bytes},
    {"Bytes", ArgKey::bytes},
    {"memory bandwidth (GB/s)", ArgKey::bandwidth},
    {"cuda_sync_kind", ArgKey::sync_kind},
    {"wait_on_stream", ArgKey::wait_on_stream},
    {"wait_on_cuda_event_record_corr_id", ArgKey::wait_on_record},
    {"Addr", ArgKey::address},
    {"Total Allocated", ArgKey::total_allocated},
    {"Total Reserved", ArgKey::total_reserved},
    {"Device Type", ArgKey::device_type},
    {"Device Id", ArgKey::device_id},
    {"name", ArgKey::name},
    {"labels", ArgKey::labels},
    {"sort_index", ArgKey::sort_index},
};

constexpr std::size_t key_slots = 256;

constexpr std::size_t key_hash(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(s[i])); };
  return (s.size() * 29 + at(0) * 7 + at(s.size() / 2) * 3 + at(s.size() - 1) * 11) % key_slots;
}

constexpr auto key_table = [] {
  std::array<NamedKey, key_slots> table{};
  for (const NamedKey& named : named_keys) {
    std::size_t slot = key_hash(named.name);
    while (!table[slot].name.empty()) slot = (slot + 1) % key_slots;
    table[slot] = named;
  }
  return table;
}();

ArgKey key_of(std::string_view name) {
  if (name.empty()) return ArgKey::other;
  for (std::size_t slot = key_hash(name); !key_table[slot].name.empty(); slot = (slot + 1) % key_slots)
    if (key_table[slot].name == name) return key_table[slot].key;
  return ArgKey::other;
}

bool read_args(JsonCursor& cursor, RawEvent& out) {
  if (cursor.peek() != '{') {
    RawValue ignored;  // null has been seen; anything else says nothing that has a column
    return cursor.value(ignored);
  }
  cursor.take('{');
  for (;;) {
    if (cursor.take('}')) return true;
    if (cursor.peek() == 0) return false;
    RawArg& arg = out.args.emplace_back();
    if (!cursor.string(arg.name) || !cursor.take(':') || !cursor.value(arg.value)) return false;
    arg.key = key_of(arg.name.text);
    if (!cursor.take(',') && cursor.peek() != '}') return false;
  }
}

bool read_text(JsonCursor& cursor, RawText& out) {
  RawValue value;
  if (!cursor.value(value)) return false;
  out = value.text;
  return true;
}

bool read_member(JsonCursor& cursor, std::string_view key, RawEvent& out) {
  RawText text;
  switch (key.empty() ? '\0' : key[0]) {
    case 'p':
      if (key == "ph") {
        if (!read_text(cursor, text)) return false;
        out.phase = text.text.size() == 1 ? text.text[0] : '\0';
        return true;
      }
      if (key == "pid") return cursor.value(out.pid);
      break;
    case 't':
      if (key == "ts") return out.has_ts = true, cursor.value(out.ts);
      if (key == "tid") return cursor.value(out.tid);
      break;
    case 'd':
      if (key == "dur") return out.has_dur = true, cursor.value(out.dur);
      break;
    case 'n':
      if (key == "name") return out.has_name = true, read_text(cursor, out.name);
      break;
    case 'c':
      if (key == "cat") return read_text(cursor, out.category);
      break;
    case 'i':
      if (key == "id") return out.has_id = true, cursor.value(out.id);
      break;
    case 's':
      if (key == "s") {
        if (!read_text(cursor, text)) return false;
        if (text.text.size() == 1) out.scope = text.text[0];
        return true;
      }
      break;
    case 'a':
      if (key == "args") return read_args(cursor, out);
      break;
    default: break;
  }
  RawValue ignored;
  return cursor.value(ignored);
}

constexpr std::int64_t time_limit = std::int64_t{1} << 62;

}  // namespace

void RawEvent::clear() {
  std::vector<RawArg> kept = std::move(args);
  kept.clear();
  *this = {};
  args = std::move(kept);
}

bool read_event(JsonCursor& cursor, RawEvent& out) {
  out.clear();
  cursor.reset_irregular();
  if (!cursor.take('{')) return false;
  bool after_comma = false;
  for (;;) {
    if (cursor.take('}')) break;
    RawText key;
    if (!cursor.string(key) || !cursor.take(':') || !read_member(cursor, key.text, out)) return false;
    after_comma = cursor.take(',');
    if (!after_comma && cursor.peek() != '}') return false;
  }
  out.irregular = cursor.irregular();
  return true;
}

std::optional<std::int64_t> nanoseconds(std::string_view text) {
  std::size_t i = 0;
  const bool negative = i < text.size() && text[i] == '-';
  if (negative || (i < text.size() && text[i] == '+')) ++i;
  std::int64_t value = 0;
  const std::size_t first_digit = i;
  while (i < text.size() && text[i] >= '0' && text[i] <= '9') {
    if (value > time_limit / 10) return {};
    value = value * 10 + (text[i++] - '0');
  }
  if (i == first_digit) return {};
  if (value > time_limit / 1000) return {};
  value *= 1000;
  if (i < text.size() && text[i] == '.') {
    ++i;
    std::int64_t unit = 100;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
      if (unit != 0) {
        value += unit * (text[i] - '0');
        unit /= 10;
      } else if (text[i] >= '5' && text[i - 4] == '.') {
        ++value;  // the fourth decimal rounds the third
      }
    }
  }
  if (i == text.size()) return negative ? -value : value;
  // An exponent: rare (very large or very small), so a double's 15 digits do.
  const std::optional<double> real = real_number(text);
  if (!real || !(*real > -4e15 && *real < 4e15)) return {};
  return static_cast<std::int64_t>(*real * 1000);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && rest == text.data() + text.size()) return value;
  if (error == std::errc::result_out_of_range) {  // addresses and hashes use the upper half of 64 bits
    std::uint64_t bits = 0;
    const auto [end, wide] = std::from_chars(text.data(), text.data() + text.size(), bits);
    if (wide == std::errc{} && end == text.data() + text.size() && bits != std::uint64_t{1} << 63)
      return static_cast<std::int64_t>(bits);
    return {};
  }
  const std::optional<double> real = real_number(text);
  if (!real || !(*real > -9e15 && *real < 9e15)) return {};
  const auto whole = static_cast<std::int64_t>(*real);
  if (static_cast<double>(whole) != *real) return {};
  return whole;
}

std::optional<double> real_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return {};
  if (!(value > -std::numeric_limits<double>::max() && value < std::numeric_limits<double>::max())) return {};
  return value;
}

}  // namespace warpwalk::trace
