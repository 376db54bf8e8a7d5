// Links machine instructions to source lines, using the locations that the compiler left in the texts and the line map
// of the record.
#include "core/story/facts/code/linked_code.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "core/story/facts/code/decoded_kernel.h"
#include "core/story/facts/code/ptx_lines.h"
#include "core/trace/sass_lines.h"

namespace warpwalk::story {
namespace {

// Few kernels are longer. A longer map is cut, so that building a stage stays cheap.
constexpr std::size_t max_body_lines = 20000;
constexpr std::size_t max_map_rows = 200000;
constexpr std::size_t widest_line = 240;

struct Line {
  std::size_t at = 0;
  std::size_t size = 0;
};

std::string_view text_of(std::string_view all, const Line& line) { return all.substr(line.at, line.size); }

// The lines from `begin` on, at most `most`.
std::vector<Line> lines_of(std::string_view text, std::size_t begin, std::size_t limit) {
  std::vector<Line> out;
  for (std::size_t at = begin; at < text.size() && out.size() < limit;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::size_t size = end - at;
    if (size > 0 && text[end - 1] == '\r') --size;
    out.push_back({at, size});
    at = end + 1;
  }
  return out;
}

std::string_view without_indent(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  return from == std::string_view::npos ? std::string_view() : text.substr(from);
}

// Replaces tabs by two spaces, and cuts the line to the width of a screen.
std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, widest_line)) {
    if (c == '\t')
      out += "  ";
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  // Do not leave half a character at the cut.
  if (text.size() > widest_line) {
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0u) == 0x80u) out.pop_back();
    if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xc0u) out.pop_back();
  }
  return out;
}

bool word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// The line that declares the entry; 0 if it is not found.
std::size_t start_of_entry(std::string_view text, std::string_view before, std::string_view entry) {
  if (entry.empty()) return 0;
  for (std::size_t at = text.find(entry); at != std::string_view::npos; at = text.find(entry, at + 1)) {
    const std::size_t after = at + entry.size();
    if (after < text.size() && word_character(text[after])) continue;
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    if (text.substr(line, at - line).find(before) != std::string_view::npos) return line;
  }
  return 0;
}

// Whether another kernel or function begins here, in PTX or in a disassembler's text.
bool starts_another(std::string_view line, CodeKind kind) {
  if (kind == CodeKind::ptx) return line.find(".entry ") != std::string_view::npos || line.starts_with(".func");
  return line.find("Function :") != std::string_view::npos || line.starts_with(".section") ||
         line.starts_with(".text.");
}

// Whether the line has an instruction, not only a brace, a label or a comment. Inline assembly is often a block in one
// line: `{ cvt.f32.f16 %f1, %rs1;}`.
bool holds_statement(std::string_view ptx_line) {
  ptx_line = ptx_line.substr(0, ptx_line.find("//"));
  return ptx_line.find_first_not_of("{} \t") != std::string_view::npos && !ptx_line.starts_with('$');
}

// "/*0a30*/" at the start of a line: the instruction's offset.
std::optional<std::int64_t> sass_offset(std::string_view line) {
  line = without_indent(line);
  if (!line.starts_with("/*")) return {};
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(line.data() + 2, line.data() + line.size(), value, 16);
  const auto read = static_cast<std::size_t>(end - line.data());
  if (error != std::errc{} || read < 6 || !line.substr(read).starts_with("*/")) return {};
  return value;
}

// The instruction without the offset before it and the encoding after it.
Line instruction_in(std::string_view all, const Line& line) {
  const std::string_view text = text_of(all, line);
  std::size_t from = text.find("*/");
  from = from == std::string_view::npos ? 0 : from + 2;
  from = std::min(text.find_first_not_of(" \t", from), text.size());
  std::size_t to = std::min(text.find("/*", from), text.size());
  while (to > from && (text[to - 1] == ' ' || text[to - 1] == '\t')) --to;
  return {line.at + from, to - from};
}

// A line that a window may show. Only lines that are shown get their text copied.
struct Candidate {
  std::int64_t number = 0;
  std::int64_t source_line = 0;
  Line line;
};

// Source lines by the offsets of machine instructions, in order.
using SassMap = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::int64_t line_at(const SassMap& map, std::int64_t offset) {
  const auto at = std::lower_bound(map.begin(), map.end(), std::pair(offset, std::int64_t{0}));
  return at == map.end() || at->first != offset ? 0 : at->second;
}

// The kernel's lines of a text, up to the beginning of the next kernel or function.
std::vector<Line> kernel_lines(std::string_view text, std::size_t begin, CodeKind kind) {
  std::vector<Line> lines = lines_of(text, begin, max_body_lines);
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (starts_another(without_indent(text_of(text, lines[i])), kind)) {
      lines.resize(i);
      break;
    }
  return lines;
}

struct MachineCode {
  std::string decoded;  // the text, if it is not the module's
  std::vector<Candidate> instructions;
  std::vector<trace::LineMapRow> lines;  // from the cubin
  std::string ptx;                       // from the cubin
  bool places_told = false;              // the source lines are from the disassembler's comments or the cubin
};

MachineCode decoded_code(const DecodedKernel& kernel, std::string_view source_file) {
  MachineCode code;
  code.lines = line_map(kernel, source_file);
  code.places_told = !kernel.function->source_lines.empty();
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const std::string text = kernel.text(i);
    const trace::LineMapRow& row = code.lines[i];
    code.instructions.push_back({row.sass_offset, row.source_line, {code.decoded.size(), text.size()}});
    code.decoded += text;
  }
  code.ptx = kernel.cubin.ptx;
  std::ranges::replace(code.ptx, '\0', '\n');
  return code;
}

// The module's cubin, decoded, or else the text that a disassembler printed.
MachineCode machine_code_of(const trace::Module& module, std::string_view entry) {
  if (const auto kernel = decoded_kernel(module, entry, max_body_lines))
    return decoded_code(*kernel, module.source_file);
  const std::string_view text = module.sass;
  const std::vector<Line> lines = kernel_lines(text, start_of_entry(text, "", entry), CodeKind::sass);
  std::string_view file = module.source_file;
  if (file.empty() && !lines.empty()) file = trace::sass_file(text.substr(lines.front().at));
  trace::SassLines places(file);
  MachineCode code;
  for (const Line& line : lines) {
    places.read(text_of(text, line));
    if (const std::optional<std::int64_t> offset = sass_offset(text_of(text, line)))
      code.instructions.push_back({*offset, places.line(), instruction_in(text, line)});
  }
  code.places_told = places.has_location();
  return code;
}

// The source line with the most instructions, of those in `lines`. Without machine code, PTX lines count. The first of
// several.
std::int64_t line_with_most(const std::vector<Candidate>& instructions, const std::vector<std::int64_t>& by_ptx,
                            const std::vector<std::int64_t>& lines) {
  std::vector<std::int64_t> counts(lines.size());
  const auto count = [&](std::int64_t line) {
    const auto at = std::lower_bound(lines.begin(), lines.end(), line);
    if (at != lines.end() && *at == line) ++counts[static_cast<std::size_t>(at - lines.begin())];
  };
  for (const Candidate& instruction : instructions) count(instruction.source_line);
  if (std::all_of(counts.begin(), counts.end(), [](std::int64_t n) { return n == 0; }))
    for (const std::int64_t line : by_ptx) count(line);
  return lines[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin())];
}

// `limit` lines around the first that is followed; without one, around `otherwise`.
CodeWindow window_of(std::string_view text, const std::vector<Candidate>& all, std::int64_t followed,
                     std::size_t otherwise, std::size_t limit) {
  CodeWindow out;
  out.all_lines = static_cast<std::int64_t>(all.size());
  const auto lit = [&](const Candidate& c) { return followed > 0 && c.source_line == followed; };
  out.lit_lines = std::count_if(all.begin(), all.end(), lit);
  const auto first = std::find_if(all.begin(), all.end(), lit);
  const std::size_t focus = first == all.end() ? std::min(otherwise, all.empty() ? 0 : all.size() - 1)
                                               : static_cast<std::size_t>(first - all.begin());
  const std::size_t from = std::min(focus - std::min(focus, limit / 2), all.size() > limit ? all.size() - limit : 0);
  out.focus = focus - from;
  for (std::size_t i = from; i < std::min(from + limit, all.size()); ++i)
    out.lines.push_back({all[i].number, shown(text_of(text, all[i].line)), all[i].source_line, lit(all[i])});
  return out;
}

}  // namespace

const trace::Module* module_of(const Trace& trace, const Walk& walk) {
  const trace::KernelRecord* record = kernel_record(trace, walk);
  return record != nullptr && record->module < trace.records.modules.size() ? &trace.records.modules[record->module]
                                                                            : nullptr;
}

std::string ptx_target(std::string_view ptx) {
  const std::size_t at = ptx.find(".target ");
  if (at == std::string_view::npos) return {};
  std::size_t end = at + 8;
  while (end < ptx.size() && word_character(ptx[end])) ++end;
  return std::string(ptx.substr(at + 8, end - at - 8));
}

CodeView code_view(const trace::Module& module, std::string_view entry, std::int64_t asked, std::size_t limit) {
  CodeView view;
  MachineCode code = machine_code_of(module, entry);
  view.decoded = !code.decoded.empty();
  const std::string_view machine_text = view.decoded ? std::string_view(code.decoded) : std::string_view(module.sass);
  const std::string_view ptx_text = module.ptx.empty() ? std::string_view(code.ptx) : std::string_view(module.ptx);
  view.target = ptx_target(ptx_text);

  // The kernel's part of the PTX, with the number of its first line in the whole text.
  const std::size_t ptx_start = start_of_entry(ptx_text, ".entry", entry);
  const auto ptx_first =
      1 + std::count(ptx_text.begin(), ptx_text.begin() + static_cast<std::ptrdiff_t>(ptx_start), '\n');
  const std::vector<Line> ptx =
      entry.empty() ? lines_of(ptx_text, 0, max_body_lines) : kernel_lines(ptx_text, ptx_start, CodeKind::ptx);

  // The module's map belongs to one entry, and an old map may contain lines of other files. If the disassembler's
  // comments have locations, they are used instead.
  const std::vector<trace::LineMapRow>& known = code.places_told && !code.lines.empty() ? code.lines : module.line_map;
  const std::span map(known.data(), std::min(known.size(), max_map_rows));
  SassMap by_sass;
  if (code.places_told) {
    for (const Candidate& instruction : code.instructions)
      by_sass.emplace_back(instruction.number, instruction.source_line);
  } else {
    for (const trace::LineMapRow& row : map) by_sass.emplace_back(row.sass_offset, row.source_line);
  }
  std::erase_if(by_sass, [](const auto& row) { return row.second == 0; });
  std::sort(by_sass.begin(), by_sass.end());
  if (!code.places_told)
    for (Candidate& instruction : code.instructions) instruction.source_line = line_at(by_sass, instruction.number);

  // NOPs are padding, not made from the line that the map gives them.
  for (Candidate& instruction : code.instructions)
    if (text_of(machine_text, instruction.line).starts_with("NOP")) instruction.source_line = 0;

  // The map has the PTX lines that became machine code; the compiler's .loc lines have all lines that follow the first
  // of them.
  std::vector<std::int64_t> by_ptx(ptx.size());  // from the kernel's first line
  for (const trace::LineMapRow& row : map) {
    const std::int64_t line = line_at(by_sass, row.sass_offset), index = std::int64_t{row.ptx_line} - ptx_first;
    // Maps place code without a PTX line of its own, such as a load of a parameter, at the brace that opens the body.
    if (line > 0 && index >= 0 && index < std::ssize(ptx) &&
        holds_statement(without_indent(text_of(ptx_text, ptx[static_cast<std::size_t>(index)]))))
      by_ptx[static_cast<std::size_t>(index)] = line;
  }
  PtxLines places(ptx_text, module.source_file);
  for (std::size_t i = 0; i < ptx.size(); ++i) {
    const std::string_view text = without_indent(text_of(ptx_text, ptx[i]));
    if (places.read(text) || !places.has_place()) continue;
    if (holds_statement(text)) by_ptx[i] = places.line();
  }

  std::vector<std::int64_t>& mapped = view.lines;
  for (const std::int64_t line : by_ptx)
    if (line > 0) mapped.push_back(line);
  for (const auto& [offset, line] : by_sass) mapped.push_back(line);
  std::sort(mapped.begin(), mapped.end());
  mapped.erase(std::unique(mapped.begin(), mapped.end()), mapped.end());
  const std::vector<Line> source = lines_of(module.source, 0, max_map_rows);
  // The requested line, else the next line that has code.
  if (!view.lines.empty() && asked != no_line) {
    const auto at = std::lower_bound(view.lines.begin(), view.lines.end(), asked);
    view.line = asked <= 0               ? line_with_most(code.instructions, by_ptx, view.lines)
                : at == view.lines.end() ? view.lines.back()
                                         : *at;
  }

  std::vector<Candidate> all;
  const std::size_t declared = start_of_entry(module.source, "", entry);
  std::size_t declaration = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i) + 1;
    if (source[i].at <= declared) declaration = i;
    all.push_back({number, std::binary_search(mapped.begin(), mapped.end(), number) ? number : 0, source[i]});
  }
  view.source = window_of(module.source, all, view.line, declaration, limit);

  all.clear();
  for (std::size_t i = 0; i < ptx.size(); ++i) {
    const std::int64_t number = ptx_first + static_cast<std::int64_t>(i);
    all.push_back({number, by_ptx[i], ptx[i]});
  }
  view.ptx = window_of(ptx_text, all, view.line, 0, limit);

  view.sass = window_of(machine_text, code.instructions, view.line, 0, limit);
  if (asked == no_line) view.lines.clear();
  return view;
}

}  // namespace warpwalk::story
