#include "core/run/kernel_lab/launch_text.h"

#include <algorithm>
#include <cctype>
#include <optional>

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
    return fmt::format("{{\n  {},\n  \"args\": [{}{}{}]\n}}\n", fmt::join(with(module), ",\n  "),
                       arguments_.empty() ? "" : "\n    ", fmt::join(arguments_, ",\n    "),
                       arguments_.empty() ? "" : "\n  ");
  }
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
    if (word == "cooperative" || word == "nonportable_cluster") {
      if (!rest.empty()) return fmt::format("{}: nothing is expected after it", word);
      return add(word, "true");
    }
    return fmt::format(
        "{}: is not known here; a line starts with kernel, grid, block, shared, cluster, registers, "
        "cooperative or nonportable_cluster, or is an argument such as \"x: f32[1000] random 1\"",
        word);
  }

  std::string read_argument(std::string_view name, std::string_view rest) {
    lines_[fmt::format("args[{}]", arguments_.size())] = line_;
    const std::string_view type = take_word(rest);
    if (type.empty())
      return fmt::format("{}: a type is missing; write for example \"{}: f32[1000] random 1\" or \"{}: i32 5\"", name,
                         name, name);
    if (type == "bytes") {
      arguments_.push_back(fmt::format("{{\"bytes\": {}}}", quoted_json(rest)));
      return {};
    }
    if (type == "again") {
      std::string_view offset = rest;
      if (!offset.empty() && offset.front() == '+') offset = trimmed(offset.substr(1));
      arguments_.push_back(
          offset.empty() ? fmt::format("{{\"buffer\": {}}}", quoted_json(name))
                         : fmt::format("{{\"buffer\": {}, \"offset\": {}}}", quoted_json(name), value_text(offset)));
      return {};
    }
    const std::size_t bracket = type.find('[');
    if (bracket == std::string_view::npos) {
      if (rest.empty()) return fmt::format("{}: a value is missing after {}", name, type);
      arguments_.push_back(fmt::format("{{\"scalar\": {}, \"dtype\": {}}}", value_text(rest), quoted_json(type)));
      return {};
    }
    if (!type.ends_with(']')) return fmt::format("{}: {}: the closing ] is missing", name, type);
    const std::string_view count = type.substr(bracket + 1, type.size() - bracket - 2);
    std::string argument = fmt::format("{{\"buffer\": {}, \"dtype\": {}, \"count\": {}", quoted_json(name),
                                       quoted_json(type.substr(0, bracket)), value_text(count));
    if (!rest.empty()) {
      std::string_view content = rest;
      const std::string_view word = take_word(content);
      if (word == "random")
        argument += fmt::format(", \"fill\": {{\"random\": {}}}", value_text(content.empty() ? "1" : content));
      else if (word == "file")
        argument += fmt::format(", \"file\": {}", quoted_json(content));
      else
        argument += fmt::format(", \"fill\": {}", value_text(rest));
    }
    arguments_.push_back(argument + "}");
    return {};
  }

  std::uint32_t line_ = 0;
  std::vector<std::string> members_, arguments_;
  std::map<std::string, std::uint32_t> lines_;
};

constexpr std::string_view own_name = "launch";

std::string shape_text(const std::array<std::uint32_t, 3>& shape) {
  if (shape[2] != 1) return fmt::format("{} x {} x {}", shape[0], shape[1], shape[2]);
  return shape[1] != 1 ? fmt::format("{} x {}", shape[0], shape[1]) : fmt::format("{}", shape[0]);
}

std::string content_text(const BufferSpec& buffer, const std::filesystem::path& folder) {
  if (const auto* const file = std::get_if<std::filesystem::path>(&buffer.content)) {
    std::error_code ignored;
    return " file " + std::filesystem::absolute(folder / *file, ignored).lexically_normal().string();
  }
  const auto* const fill = std::get_if<Fill>(&buffer.content);
  if (fill == nullptr) return "";
  if (const auto* const random = std::get_if<FillRandom>(fill)) return fmt::format(" random {}", random->seed);
  if (std::holds_alternative<FillIota>(*fill)) return " iota";
  return " " + ops::text_of(buffer.dtype, std::get<FillValue>(*fill).bits);
}

std::uint64_t bits_of(const std::vector<std::uint8_t>& bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 8; ++i) bits |= std::uint64_t{bytes[i]} << (8 * i);
  return bits;
}

}  // namespace

Diagnostic LaunchText::place(std::string_view message) const {
  Diagnostic found{Diagnostic::Text::launch, 0, 0, std::string(message), false};
  const std::size_t end = message.find(": ");
  if (end == std::string_view::npos) return found;
  const std::string_view path = message.substr(0, end);
  const std::string_view named = path.starts_with("buffer ") ? path.substr(7) : std::string_view();
  for (std::size_t i = 0; i < file.arguments.size() && !named.empty(); ++i) {
    const auto& buffer = file.arguments[i].buffer;
    if (buffer && file.buffers[*buffer].name == named) {
      found.line = lines.at(fmt::format("args[{}]", i));
      return found;
    }
  }
  // "args[2].count" is in the line of args[2], "grid[0]" in that of grid.
  const std::size_t member = path.starts_with("args[") ? path.find(']') + 1 : path.find_first_of("[.");
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
  LaunchReader reader;
  if (auto error = reader.read(text)) return *error;
  LaunchText launch;
  launch.lines = reader.lines();
  launch.last_line = reader.last_line();
  auto parsed = parse_launch_file(reader.json("\"ptx\": \"kernel.ptx\""), own_name);
  if (!parsed) return launch.place(std::string_view(parsed.error()).substr(own_name.size() + 2));
  launch.file = std::move(*parsed);
  launch.file.ptx.clear();
  return launch;
}

std::variant<std::string, Diagnostic> launch_json(std::string_view text, std::string_view module) {
  LaunchReader reader;
  if (auto error = reader.read(text)) return *error;
  return reader.json(module);
}

std::variant<std::string, LaunchTextError> launch_text(const LaunchFile& file, const std::filesystem::path& folder,
                                                       const std::vector<std::string>& scalar_names) {
  if (!file.textures.empty())
    return LaunchTextError{"the Kernel lab has no textures and surfaces; run this launch with simulate"};
  for (const BufferSpec& buffer : file.buffers)
    if (!buffer.variable.empty() || !buffer.written.empty() || std::holds_alternative<StructSpec>(buffer.content))
      return LaunchTextError{fmt::format("the Kernel lab has no {} ({}); run this launch with simulate",
                                         buffer.variable.empty() ? "partly written buffers or buffers of addresses"
                                                                 : "contents of the module's variables",
                                         buffer.name)};
  for (const ArgumentSpec& argument : file.arguments)
    if (!argument.addresses.empty())
      return LaunchTextError{
          "the Kernel lab has no addresses in structs, of functions or of variables; run this "
          "launch with simulate"};
  std::string text =
      fmt::format("kernel {}\ngrid   {}\nblock  {}\n", file.kernel, shape_text(file.grid), shape_text(file.block));
  if (file.cluster) text += fmt::format("cluster {}\n", shape_text(*file.cluster));
  if (file.nonportable_cluster) text += "nonportable_cluster\n";
  if (file.cooperative) text += "cooperative\n";
  if (file.dynamic_shared_bytes != 0) text += fmt::format("shared {}\n", file.dynamic_shared_bytes);
  if (file.registers) text += fmt::format("registers {}\n", *file.registers);
  text += "\n";
  std::vector<bool> described(file.buffers.size());
  std::size_t scalars = 0;
  for (std::size_t i = 0; i < file.arguments.size(); ++i) {
    const ArgumentSpec& argument = file.arguments[i];
    if (!argument.buffer) {
      const std::string letter(1, "nmkabcdefgh"[std::min<std::size_t>(scalars++, 10)]);
      const std::string& name = i < scalar_names.size() && !scalar_names[i].empty() ? scalar_names[i] : letter;
      if (argument.dtype)
        text += fmt::format("{}: {} {}\n", name, name_of(*argument.dtype),
                            ops::text_of(*argument.dtype, bits_of(argument.bytes)));
      else
        text += fmt::format("{}: bytes {:02x}\n", name, fmt::join(argument.bytes, ""));
      continue;
    }
    const BufferSpec& buffer = file.buffers[*argument.buffer];
    if (!described[*argument.buffer] && argument.offset != 0)
      return LaunchTextError{
          fmt::format("the Kernel lab has no offset in the first use of a buffer ({})", buffer.name)};
    if (!described[*argument.buffer])
      text +=
          fmt::format("{}: {}[{}]{}\n", buffer.name, name_of(buffer.dtype), buffer.count, content_text(buffer, folder));
    else
      text += argument.offset == 0 ? fmt::format("{}: again\n", buffer.name)
                                   : fmt::format("{}: again + {}\n", buffer.name, argument.offset);
    described[*argument.buffer] = true;
  }
  return text;
}

}  // namespace warpwalk::run
