#include "core/run/kernel_lab/launch_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/document.h>

#include "core/run/kernel_lab/diagnostic.h"
#include "core/run/launch/json_fields.h"
#include "core/trace/json/json_text.h"

namespace warpwalk::run {
namespace {

constexpr std::string_view spaces = " \t\r";

/// Takes the first word.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::string_view word = text.substr(0, std::min(text.find_first_of(spaces), text.size()));
  text = trimmed(text.substr(word.size()));
  return word;
}

std::string quoted_json(std::string_view text) {
  std::string out;
  trace::append_quoted(out, text);
  return out;
}

/// A word as a value of a launch file: a number as it is, anything else as a string.
std::string value_text(std::string_view word) {
  rapidjson::Document number;
  const bool digits = !word.empty() && word.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  if (digits && !number.Parse(word.data(), word.size()).HasParseError() && number.IsNumber()) return std::string(word);
  return quoted_json(word);
}

/// "4 x 2" or "4, 2" as a JSON list.
std::string shape_json(std::string_view text) {
  std::string list = "[";
  std::string separated(text);
  std::ranges::replace_if(
      separated, [](char c) { return c == 'x' || c == 'X' || c == ','; }, ' ');
  for (std::string_view rest = separated; !rest.empty();) {
    const std::string_view word = take_word(rest);
    if (word.empty()) break;
    list += (list.size() > 1 ? "," : "") + value_text(word);
  }
  return list + "]";
}

/// The members and arguments of a launch file, collected line by line.
class LaunchReader {
 public:
  /// `recorded_prefix`: in the names of the files that hold recorded contents.
  explicit LaunchReader(std::string recorded_prefix) : recorded_prefix_(std::move(recorded_prefix)) {}

  std::optional<Diagnostic> read(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      ++line_;
      const std::string_view statement = trimmed(line.substr(0, line.find('#')));
      if (statement.empty()) continue;
      const std::size_t colon = statement.find(':');
      const std::string error = colon == std::string_view::npos
                                    ? read_member(statement)
                                    : read_argument(trimmed(statement.substr(0, colon)), statement.substr(colon + 1));
      if (!error.empty()) return Diagnostic{Diagnostic::Text::launch, line_, 0, error, false};
    }
    return {};
  }

  std::string json(std::string_view module) const {
    const std::string variables =
        variables_.empty() ? "" : fmt::format(",\n  \"variables\": {{{}}}", fmt::join(variables_, ", "));
    return fmt::format("{{\n  {},\n  \"args\": [{}{}{}]{}\n}}\n", fmt::join(with(module), ",\n  "),
                       arguments_.empty() ? "" : "\n    ", fmt::join(arguments_, ",\n    "),
                       arguments_.empty() ? "" : "\n  ", variables);
  }
  const std::vector<std::string>& recorded() const { return recorded_; }
  const std::map<std::string, std::uint32_t>& lines() const { return lines_; }
  std::uint32_t last_line() const { return std::max(line_, 1u); }

 private:
  std::vector<std::string> with(std::string_view module) const {
    std::vector<std::string> all = members_;
    all.insert(all.begin() + std::min<std::ptrdiff_t>(1, std::ssize(all)), std::string(module));
    return all;
  }

  std::string add(std::string_view name, std::string_view value) {
    if (!lines_.try_emplace(std::string(name), line_).second) return fmt::format("{} appears twice", name);
    members_.push_back(fmt::format("\"{}\": {}", name, value));
    return {};
  }

  std::string read_member(std::string_view statement) {
    std::string_view rest = statement;
    const std::string_view word = take_word(rest);
    const auto one = [&](std::string_view name, bool text) -> std::string {
      const std::string_view value = take_word(rest);
      if (value.empty() || !rest.empty()) return fmt::format("{}: one value is expected after it", word);
      return add(name, text ? quoted_json(value) : value_text(value));
    };
    if (word == "kernel") return one("kernel", true);
    if (word == "grid" || word == "block" || word == "cluster") return add(word, shape_json(rest));
    if (word == "shared") return one("dynamic_shared_bytes", false);
    if (word == "registers") return one("registers", false);
    if (word == "gpu" || word == "caches") return one(word, true);
    if (word == "cooperative" || word == "nonportable_cluster") {
      if (!rest.empty()) return fmt::format("{}: nothing is expected after it", word);
      return add(word, "true");
    }
    return fmt::format(
        "{}: is not known here; a line starts with kernel, grid, block, shared, cluster, registers, cooperative, "
        "nonportable_cluster, gpu or caches, or is an argument such as \"x: f32[1000] random 1\"",
        word);
  }

  std::string read_argument(std::string_view name, std::string_view rest) {
    constexpr std::string_view variable = "variable ";
    if (name.starts_with(variable)) return read_variable(trimmed(name.substr(variable.size())), rest);
    const std::string_view place = name.substr(0, name.find(' '));
    if (const std::size_t dot = place.rfind('.'); dot != std::string_view::npos)
      if (const auto into = structs_.find(place.substr(0, dot)); into != structs_.end())
        return read_address(into->second, place, place == name ? name : trimmed(name.substr(place.size())), rest);
    lines_[fmt::format("args[{}]", arguments_.size())] = line_;
    const std::string_view type = take_word(rest);
    if (type.empty())
      return fmt::format("{}: a type is missing; write for example \"{}: f32[1000] random 1\" or \"{}: i32 5\"", name,
                         name, name);
    if (type == "bytes") {
      std::string hex(rest);
      std::erase_if(hex, [](char c) { return spaces.find(c) != std::string_view::npos; });
      structs_.insert_or_assign(std::string(name), Struct{arguments_.size(), hex, {}});
      arguments_.push_back(fmt::format("{{\"bytes\": {}}}", quoted_json(rest)));
      return {};
    }
    std::string argument;
    if (auto error = read_pointer(name, type, rest, argument); !error.empty()) return error;
    if (argument.empty()) {
      if (rest.empty()) return fmt::format("{}: a value is missing after {}", name, type);
      argument = fmt::format("{{\"scalar\": {}, \"dtype\": {}}}", value_text(rest), quoted_json(type));
    }
    arguments_.push_back(std::move(argument));
    return {};
  }

  /// Reads a buffer, or one that appears again; `out` stays empty for anything else.
  std::string read_pointer(std::string_view name, std::string_view type, std::string_view rest, std::string& out) {
    lines_.try_emplace(fmt::format("buffer {}", name), line_);
    if (type == "again") {
      std::string_view offset = rest;
      if (!offset.empty() && offset.front() == '+') offset = trimmed(offset.substr(1));
      out = offset.empty() ? fmt::format("{{\"buffer\": {}}}", quoted_json(name))
                           : fmt::format("{{\"buffer\": {}, \"offset\": {}}}", quoted_json(name), value_text(offset));
      return {};
    }
    if (type.find('[') == std::string_view::npos) return {};
    std::string offset, elements;
    if (rest.starts_with('+')) {
      rest = trimmed(rest.substr(1));
      offset = fmt::format(", \"offset\": {}", value_text(take_word(rest)));
    }
    if (auto error = read_elements(name, type, rest, elements); !error.empty()) return error;
    out = fmt::format("{{\"buffer\": {}, {}{}}}", quoted_json(name), elements, offset);
    return {};
  }

  /// The type, the number and the contents of elements, "f32[1000] random 1", as members of a launch file.
  std::string read_elements(std::string_view name, std::string_view type, std::string_view rest, std::string& out) {
    const std::size_t bracket = type.find('[');
    if (bracket == std::string_view::npos) return fmt::format("{}: {}: the number of elements is missing", name, type);
    if (!type.ends_with(']')) return fmt::format("{}: {}: the closing ] is missing", name, type);
    const std::string_view count = type.substr(bracket + 1, type.size() - bracket - 2);
    out = fmt::format("\"dtype\": {}, \"count\": {}", quoted_json(type.substr(0, bracket)), value_text(count));
    if (rest.empty()) return {};
    std::string_view content = rest;
    const std::string_view word = take_word(content);
    if (word == "random") {
      out += fmt::format(", \"fill\": {{\"random\": {}}}", value_text(content.empty() ? "1" : content));
    } else if (word == "file") {
      out += fmt::format(", \"file\": {}", quoted_json(content));
    } else if (word == "recorded" && content.empty()) {
      recorded_.emplace_back(name);
      out += fmt::format(", \"file\": {}", quoted_json(recorded_prefix_ + recorded_file(name)));
    } else {
      out += fmt::format(", \"fill\": {}", value_text(rest));
    }
    return {};
  }

  std::string read_variable(std::string_view name, std::string_view rest) {
    lines_.try_emplace(fmt::format("buffer {}", name), line_);
    if (!lines_.try_emplace(fmt::format("variables.{}", name), line_).second)
      return fmt::format("variable {} appears twice", name);
    const std::string_view type = take_word(rest);
    std::string elements;
    if (auto error = read_elements(name, type, rest, elements); !error.empty()) return error;
    variables_.push_back(fmt::format("{}: {{{}}}", quoted_json(name), elements));
    return {};
  }

  struct Struct {
    std::size_t argument = 0;
    std::string hex;                               // of all bytes
    std::map<std::uint64_t, std::string> members;  // addresses by their first byte
  };

  /// Reads "s.8: f32[100] iota": the address at byte 8 of the struct s, of a buffer with this name, or with the one
  /// in "s.8 name: f32[100] iota".
  std::string read_address(Struct& into, std::string_view place, std::string_view name, std::string_view rest) {
    constexpr std::size_t address_digits = 16;
    const std::string_view byte = place.substr(place.rfind('.') + 1);
    std::uint64_t at = 0;
    const auto [end, error] = std::from_chars(byte.data(), byte.data() + byte.size(), at);
    if (error != std::errc() || end != byte.data() + byte.size() || at % 8 != 0 ||
        2 * at + address_digits > into.hex.size() || into.members.contains(at))
      return fmt::format("{}: no address can be there; expected the first byte of one in the struct, a multiple of 8",
                         place);
    const std::string_view type = take_word(rest);
    std::string member;
    if (auto bad = read_pointer(name, type, rest, member); !bad.empty()) return bad;
    if (member.empty()) return fmt::format("{}: expected a buffer, such as f32[1000] random 1", place);
    into.members.emplace(at, std::move(member));
    std::string members;
    std::size_t done = 0;
    const auto add_bytes = [&](std::size_t to) {
      if (to > done)
        members +=
            fmt::format("{}{{\"bytes\": \"{}\"}}", members.empty() ? "" : ", ", into.hex.substr(done, to - done));
      done = to;
    };
    for (const auto& [first, address] : into.members) {
      add_bytes(2 * first);
      members += fmt::format("{}{}", members.empty() ? "" : ", ", address);
      done += address_digits;
    }
    add_bytes(into.hex.size());
    arguments_[into.argument] = fmt::format("{{\"struct\": [{}]}}", members);
    return {};
  }

  std::uint32_t line_ = 0;
  std::string recorded_prefix_;
  std::vector<std::string> members_, arguments_, variables_, recorded_;
  std::map<std::string, Struct, std::less<>> structs_;  // the arguments given as bytes
  std::map<std::string, std::uint32_t> lines_;
};

constexpr std::string_view own_name = "launch";

}  // namespace

Diagnostic LaunchText::place(std::string_view message) const {
  Diagnostic found{Diagnostic::Text::launch, 0, 0, std::string(message), false};
  const std::size_t end = message.find(": ");
  if (end == std::string_view::npos) return found;
  const std::string_view path = message.substr(0, end);
  const std::string_view named = path.starts_with("buffer ") ? path.substr(7) : std::string_view();
  if (const auto line = lines.find(std::string(path)); !named.empty() && line != lines.end()) {
    found.line = line->second;
    return found;
  }
  // "args[2].count" is in the line of args[2], "grid[0]" in that of grid, "variables.x.count" in that of variables.x.
  constexpr std::string_view variables = "variables.";
  const std::size_t member = path.starts_with("args[")     ? path.find(']') + 1
                             : path.starts_with(variables) ? path.find_first_of("[.", variables.size())
                                                           : path.find_first_of("[.");
  const std::string_view statement = path.substr(0, std::min(member, path.size()));
  if (const auto line = lines.find(std::string(statement)); line != lines.end()) {
    found.line = line->second;
    const std::string_view rest = path.substr(statement.size());
    if (!rest.empty() && rest.front() == '.') {
      found.message = fmt::format("{}: {}", rest.substr(1), message.substr(end + 2));
    } else if (path.starts_with("args[")) {
      found.message = message.substr(end + 2);
    }
  } else if (path == "args") {
    found.message = fmt::format("arguments: {}", message.substr(end + 2));
    found.line = last_line;
  } else if (path == "kernel" || path == "grid" || path == "block") {
    found.line = last_line;
  }
  return found;
}

std::variant<LaunchText, Diagnostic> parse_launch_text(std::string_view text) {
  LaunchReader reader("");
  if (auto error = reader.read(text)) return *error;
  LaunchText launch;
  launch.lines = reader.lines();
  launch.last_line = reader.last_line();
  launch.recorded = reader.recorded();
  auto parsed = parse_launch_file(reader.json("\"ptx\": \"kernel.ptx\""), own_name);
  if (!parsed) return launch.place(std::string_view(parsed.error()).substr(own_name.size() + 2));
  launch.file = std::move(*parsed);
  launch.file.ptx.clear();
  return launch;
}

std::string recorded_file(std::string_view buffer) { return fmt::format("{}.bin", buffer); }

std::variant<std::string, Diagnostic> launch_json(std::string_view text, std::string_view module,
                                                  std::string_view recorded_prefix) {
  LaunchReader reader{std::string(recorded_prefix)};
  if (auto error = reader.read(text)) return *error;
  return reader.json(module);
}

}  // namespace warpwalk::run
