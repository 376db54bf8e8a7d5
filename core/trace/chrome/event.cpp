#include "core/trace/chrome/event.h"

#include <array>
#include <cstring>
#include <string>

#include "core/trace/chrome/key_predictor.h"
#include "core/trace/json/json_text.h"

namespace warpwalk::trace {
namespace {

struct NamedKey {
  std::string_view name;
  ArgKey key;
};

// Spellings of PyTorch 1.8 to 2.11, and warpwalk's own keys. If a key has two spellings, the first is written.
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
    {"warpwalk untimed", ArgKey::untimed},
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
    {"Bytes", ArgKey::memory_bytes},
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
    {"pid", ArgKey::track_pid},
    {"tid", ArgKey::track_tid},
    {"gpu", ArgKey::track_gpu},
    {"process_name", ArgKey::process_name},
    {"process_labels", ArgKey::process_labels},
    {"process_sort_index", ArgKey::process_sort_index},
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

// Reads a value into `out` if it is one character; otherwise leaves `out` unchanged.
bool read_letter(JsonCursor& cursor, char& out) {
  RawValue value;
  if (!cursor.value(value)) return false;
  if (value.text.text.size() == 1) out = value.text.text[0];
  return true;
}

// key == name with a compile-time length, so that the comparison is inlined.
template <std::size_t n>
bool is(std::string_view key, const char (&name)[n]) {
  return key.size() == n - 1 && std::memcmp(key.data(), name, n - 1) == 0;
}

Member member_of(std::string_view key) {
  switch (key.empty() ? '\0' : key[0]) {
    case 'p':
      if (is(key, "ph")) return Member::phase;
      if (is(key, "pid")) return Member::pid;
      break;
    case 't':
      if (is(key, "ts")) return Member::ts;
      if (is(key, "tid")) return Member::tid;
      break;
    case 'd':
      if (is(key, "dur")) return Member::dur;
      break;
    case 'n':
      if (is(key, "name")) return Member::name;
      break;
    case 'c':
      if (is(key, "cat")) return Member::category;
      break;
    case 'i':
      if (is(key, "id") || is(key, "id2")) return Member::id;  // id2: of one process
      break;
    case 's':
      if (is(key, "s")) return Member::scope;
      break;
    case 'a':
      if (is(key, "args")) return Member::args;
      break;
    default: break;
  }
  return Member::other;
}

struct NextMember {
  Member member = Member::end;
  ArgKey arg = ArgKey::other;
  RawText name;
};

// Reads up to the next value of an object, or behind its end. `first`: nothing of it has been read. Returns false if
// the text is malformed or ends.
bool read_key(JsonCursor& cursor, bool in_args, bool first, KeyPredictor& keys, RawEvent& event, NextMember& next) {
  const std::string_view text = cursor.rest();
  if (const Gap* const gap = keys.find(text)) {
    next.member = gap->member;
    next.arg = gap->arg;
    next.name = {{text.data() + gap->name_at, gap->name_size}};
    cursor.skip(gap->size);
    return true;
  }
  const bool after_comma = cursor.take(first ? '{' : ',');
  if (!after_comma && cursor.peek() != '}') return false;
  const auto learn = [&](std::string_view name) {
    keys.learn(text.substr(0, text.size() - cursor.rest().size()), next.member, next.arg, name);
  };
  if (cursor.take('}')) {
    next.member = in_args ? Member::end_of_args : Member::end;
    if (after_comma && !first)
      event.irregular |= irregular_comma;
    else
      learn({});
    return true;
  }
  if (!cursor.string(next.name) || !cursor.take(':') || cursor.peek() == 0) return false;
  next.member = in_args ? Member::arg : member_of(next.name.text);
  next.arg = in_args ? key_of(next.name.text) : ArgKey::other;
  if (next.name.plain) learn(next.name.text);
  return true;
}

bool read_args(JsonCursor& cursor, RawEvent& out, KeyPredictor& keys) {
  if (cursor.peek() != '{') {
    RawValue ignored;  // usually null; nothing else has a column
    return cursor.value(ignored);
  }
  NextMember next;
  for (bool first = true;; first = false) {
    if (!read_key(cursor, true, first, keys, out, next)) return false;
    if (next.member == Member::end_of_args) return true;
    RawArg& arg = out.args.emplace_back();
    arg.key = next.arg;
    arg.name = next.name;
    if (!cursor.value(arg.value)) return false;
  }
}

bool read_member(JsonCursor& cursor, Member member, RawEvent& out, KeyPredictor& keys) {
  switch (member) {
    case Member::phase: return read_letter(cursor, out.phase);
    case Member::name: return cursor.value(out.name);
    case Member::category: return cursor.value(out.category);
    case Member::pid: return cursor.value(out.pid);
    case Member::tid: return cursor.value(out.tid);
    case Member::id: return cursor.value(out.id);
    case Member::ts: return cursor.value(out.ts);
    case Member::dur: return cursor.value(out.dur);
    case Member::scope: return read_letter(cursor, out.scope);
    case Member::args: return read_args(cursor, out, keys);
    default: break;
  }
  RawValue ignored;
  return cursor.value(ignored);
}

}  // namespace

void RawEvent::clear() {
  name = category = pid = tid = id = ts = dur = {};
  phase = 0;
  scope = 't';
  irregular = 0;
  args.clear();  // keeps the capacity for reuse
}

bool RawEvent::empty() const {
  const auto missing = [](const RawValue& value) { return value.text.text.empty(); };
  return phase == 0 && args.empty() && missing(name) && missing(category) && missing(pid) && missing(tid) &&
         missing(id) && missing(ts) && missing(dur);
}

std::string_view name_of(ArgKey key) {
  for (const NamedKey& named : named_keys)
    if (named.key == key) return named.name;
  return {};
}

bool read_event(JsonCursor& cursor, RawEvent& out, KeyPredictor& keys) {
  out.clear();
  cursor.reset_irregular();
  if (cursor.peek() != '{') return false;
  keys.restart();
  std::string scratch;
  std::uint32_t in_keys = 0;
  NextMember next;
  for (bool first = true;; first = false) {
    if (!read_key(cursor, false, first, keys, out, next)) return false;
    if (next.member == Member::end) break;
    if (!next.name.plain) decode(next.name, scratch, in_keys);
    if (!read_member(cursor, next.member, out, keys)) return false;
  }
  if (out.scope != 'p' && out.scope != 'g') out.scope = 't';
  out.irregular |= cursor.irregular() | in_keys;
  return true;
}

}  // namespace warpwalk::trace
