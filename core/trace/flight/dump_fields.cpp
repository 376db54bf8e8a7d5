// Takes the fields of a dump. The work grows with the size of the file alone, although values of a pickle may refer to
// each other a million times: each list is looked at once, and the numbers of tensors' sizes are counted.
#include "core/trace/flight/dump_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/trace/json/json_text.h"

namespace warpwalk::trace::flight {
namespace {

using pickle::Document;
using pickle::Value;

// Frames of these paths belong to PyTorch, to packages or to Python.
constexpr std::string_view library_paths[] = {
    "site-packages/",  "dist-packages/", "/lib/python3", "/lib64/python3", "torch/distributed/", "torch/nn/",
    "torch/autograd/", "torch/optim/",   "torch/utils/", "torch/_dynamo/", "torch/_compile",     "torch/_ops.py"};

bool is_library_path(std::string_view path) {
  return path.starts_with('<') || std::ranges::any_of(library_paths, [&](std::string_view part) {
           return path.find(part) != std::string_view::npos;
         });
}

// A number that JSON dumps write as text.
std::int64_t number_of(const Document& document, Value value, std::int64_t otherwise) {
  const std::string_view text = document.text(value);
  std::int64_t number = otherwise;
  if (!value.is(Value::Kind::text)) return value.number(otherwise);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : otherwise;
}

/// The place of a call in Python.
struct CallPlace {
  StringId function = 0, file = 0;
  std::int64_t line = 0;
};

class DumpTaker {
 public:
  DumpTaker(const Document& document, StringPool& texts) : document_(document), texts_(texts) {}

  Dump take(Value top) {
    Dump dump;
    dump.version = valid_utf8(document_.text(document_.member(top, "version")));
    take_groups(dump, document_.member(top, "pg_config"));
    take_statuses(dump, document_.member(top, "pg_status"));
    // The newest calls matter most, should the sizes of tensors run out of numbers.
    const std::span<const Value> entries = document_.items(document_.member(top, "entries"));
    for (std::size_t i = entries.size(); i-- > 0;)
      if (const auto call = take_call(entries[i])) dump.calls.push_back(*call);
    std::ranges::reverse(dump.calls);
    return dump;
  }

 private:
  StringId text(std::string_view text) { return texts_.intern(valid_utf8(text)); }
  StringId text(Value value) { return text(document_.text(value)); }

  // The ranks of a group are a text, "[0, 1]", or a list.
  std::vector<std::int64_t> ranks_of(Value value) const {
    std::vector<std::int64_t> ranks;
    for (const Value rank : document_.items(value)) ranks.push_back(rank.number(-1));
    const std::string_view list = document_.text(value);
    for (std::size_t at = 0; at < list.size();) {
      std::int64_t rank = 0;
      const auto [end, error] = std::from_chars(list.data() + at, list.data() + list.size(), rank);
      if (error == std::errc()) ranks.push_back(rank);
      at = std::max(at + 1, static_cast<std::size_t>(end - list.data()));
    }
    std::erase_if(ranks, [](std::int64_t rank) { return rank < 0; });
    return ranks;
  }

  void take_groups(Dump& dump, Value config) {
    const std::span<const Value> members = document_.members(config);
    for (std::size_t i = 0; i < members.size(); i += 2) {
      const Value ranks = document_.member(members[i + 1], "ranks");
      // Each list of ranks once: many groups may refer to one.
      auto [known, fresh] = ranks_.try_emplace(ranks.bits * 8 + static_cast<std::uint64_t>(ranks.kind));
      if (fresh) known->second = ranks_of(ranks);
      if ((rank_numbers_ += known->second.size()) > most_numbers) return;
      dump.groups.push_back({text(members[i]), text(document_.member(members[i + 1], "desc")), known->second});
    }
  }

  void take_statuses(Dump& dump, Value status) const {
    const std::span<const Value> members = document_.members(status);
    for (std::size_t i = 0; i < members.size(); i += 2) {
      const auto number = [&](std::string_view key) {
        return number_of(document_, document_.member(members[i + 1], key), -1);
      };
      dump.statuses.push_back({number_of(document_, members[i], -1), number("last_enqueued_collective"),
                               number("last_started_collective"), number("last_completed_collective")});
    }
  }

  // "[[1000], [10, 20]]"; empty if there are too many numbers in all.
  StringId sizes(Value tensors) {
    std::string out = "[";
    for (const Value tensor : document_.items(tensors)) {
      const std::span<const Value> dimensions = document_.items(tensor);
      if ((size_numbers_ += dimensions.size() + 1) > most_numbers) return 0;
      out += out.size() > 1 ? ", [" : "[";
      for (std::size_t i = 0; i < dimensions.size(); ++i) {
        if (i > 0) out += ", ";
        out += std::to_string(dimensions[i].number());
      }
      out += ']';
    }
    return texts_.intern(out + "]");
  }

  StringId types(Value types) {
    std::string out;
    for (const Value type : document_.items(types)) {
      if (++size_numbers_ > most_numbers) return 0;
      if (!out.empty()) out += ", ";
      out += document_.text(type);
    }
    return text(out);
  }

  // The innermost frame of the program; of a stack that is in libraries alone, the innermost.
  CallPlace place_of(Value frames) {
    const std::span<const Value> items = document_.items(frames);
    if (items.empty()) return {};
    const auto [known, fresh] = places_.try_emplace(frames.bits);
    if (!fresh) return known->second;
    Value chosen = items.front();
    for (const Value frame : items) {
      const std::string_view file = document_.text(document_.member(frame, "filename"));
      if (file.empty() || is_library_path(file)) continue;
      chosen = frame;
      break;
    }
    known->second = {text(document_.member(chosen, "name")), text(document_.member(chosen, "filename")),
                     document_.member(chosen, "line").number()};
    return known->second;
  }

  static State state_of(std::string_view text) {
    if (text == "scheduled") return State::scheduled;
    if (text == "started") return State::started;
    return text == "completed" ? State::completed : State::unknown;
  }

  std::optional<Call> take_call(Value entry) {
    const auto member = [&](std::string_view key) { return document_.member(entry, key); };
    const auto number = [&](std::string_view key, std::int64_t otherwise) {
      return number_of(document_, member(key), otherwise);
    };
    Call call;
    std::string_view name = document_.text(member("profiling_name"));
    call.state = state_of(document_.text(member("state")));
    if (name.empty() || call.state == State::unknown) return {};
    // "nccl:all_reduce"
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos && colon + 1 < name.size())
      name.remove_prefix(colon + 1);
    call.name = text(name);
    call.record = number("record_id", -1);
    call.group_id = number("pg_id", -1);
    call.collective = number("collective_seq_id", number("seq_id", -1));
    call.message = number("p2p_seq_id", -1);
    const Value group = member("process_group");
    if (const std::span<const Value> pair = document_.items(group); pair.size() == 2) {
      call.group = text(pair[0]);
      call.description = text(pair[1]);
    } else {
      call.group = text(group);
    }
    call.input_sizes = sizes(member("input_sizes"));
    call.output_sizes = sizes(member("output_sizes"));
    call.input_types = types(member("input_dtypes"));
    call.output_types = types(member("output_dtypes"));
    const CallPlace place = place_of(member("frames"));
    call.function = place.function;
    call.file = place.file;
    call.line = place.line;
    call.created = number("time_created_ns", 0);
    call.timeout_ms = number("timeout_ms", 0);
    call.timed = number("time_discovered_started_ns", 0) > 0;
    call.retired = member("retired").number() != 0;
    call.is_message = member("is_p2p").number() != 0 || name.starts_with("send ") || name.starts_with("recv ");
    return call;
  }

  static constexpr std::size_t most_numbers = std::size_t{1} << 24;

  const Document& document_;
  StringPool& texts_;
  std::unordered_map<std::uint64_t, CallPlace> places_;                 // by the list of frames
  std::unordered_map<std::uint64_t, std::vector<std::int64_t>> ranks_;  // by the value
  std::size_t size_numbers_ = 0, rank_numbers_ = 0;
};

}  // namespace

bool is_dump(const Document& document, Value top) {
  const auto has = [&](std::string_view key, Value::Kind kind) { return document.member(top, key).is(kind); };
  const std::span<const Value> entries = document.items(document.member(top, "entries"));
  // JSON has its version at the end, which may be cut off.
  if (!entries.empty() && !document.text(document.member(entries.front(), "profiling_name")).empty()) return true;
  return has("version", Value::Kind::text) &&
         (has("pg_config", Value::Kind::dictionary) || has("pg_status", Value::Kind::dictionary) ||
          has("entries", Value::Kind::list));
}

Dump take_dump(const Document& document, Value top, StringPool& texts) { return DumpTaker(document, texts).take(top); }

}  // namespace warpwalk::trace::flight
