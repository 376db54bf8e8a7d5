#include "app/pages/compiled.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compiled/open_compiled.h"

namespace warpwalk::pages {
namespace {

using compiled::CompiledKernel;
using compiled::CompileEvent;
using compiled::FxNode;
using compiled::PythonLine;
using draw::Box;
using draw::Style;

constexpr float compiled_margin = 24, compiled_head = 52, compiled_row = 26, compiled_gap = 32;

std::string file_and_line(const PythonLine& line) {
  return fmt::format("{}:{}", std::filesystem::path(line.file).filename().string(), line.line);
}

// The file that the Kernel lab opens; empty: none is there.
std::filesystem::path runnable_file(const CompiledKernel& kernel) {
  for (const char* const kind : {"cubin", "ptx"}) {
    const auto file = kernel.files.find(kind);
    std::error_code error;
    if (file != kernel.files.end() && std::filesystem::is_regular_file(file->second, error)) return file->second;
  }
  return {};
}

std::string joined_names(const std::vector<FxNode>& nodes) {
  std::vector<std::string> names;
  for (const FxNode& node : nodes) names.push_back(node.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The facts of one row, from top to bottom: headings with their text.
class FactColumn {
 public:
  FactColumn(draw::Ui& ui, const Box& box) : ui_(ui), canvas_(ui.canvas()), box_(box), y_(box.y) {}

  void title(const std::string& text) {
    y_ += canvas_.paragraph({box_.x, y_}, Style::heading, canvas_.theme().text, text, box_.width, 3) + 10;
  }
  void sentence(const std::string& text) {
    if (full()) return;
    y_ += canvas_.paragraph({box_.x, y_}, Style::body, canvas_.theme().text, text, box_.width, 8) + 8;
  }
  void fact(const char* heading, const std::string& text, Style style = Style::body) {
    if (text.empty() || full()) return;
    canvas_.text({box_.x, y_}, Style::small_caps, canvas_.theme().second, ui_.word("compiled", heading), box_.width);
    y_ += 20;
    y_ += canvas_.paragraph({box_.x, y_}, style, canvas_.theme().text, text, box_.width, 10) + 12;
  }
  void lines(const char* heading, const std::vector<PythonLine>& lines) {
    std::string text;
    for (const PythonLine& line : lines)
      text += fmt::format("{}{}{}", text.empty() ? "" : "\n", file_and_line(line),
                          line.code.empty() ? "" : "   " + line.code);
    fact(heading, text, Style::mono_small);
  }

  // As many lines of it as there is room for.
  void code(const char* heading, std::string_view text) {
    if (text.empty() || y_ + 60 > box_.bottom()) return;
    canvas_.text({box_.x, y_}, Style::small_caps, canvas_.theme().second, ui_.word("compiled", heading), box_.width);
    y_ += 20;
    const float height = 1.2f * canvas_.line_height(Style::mono_small);
    for (; !text.empty() && y_ + height <= box_.bottom(); y_ += height) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      canvas_.text({box_.x, y_}, Style::mono_small, canvas_.theme().text, text.substr(0, end), box_.width);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

 private:
  bool full() const { return y_ + 40 > box_.bottom(); }

  draw::Ui& ui_;
  draw::Canvas& canvas_;
  Box box_;
  float y_;
};

}  // namespace

CompiledPage::~CompiledPage() { stop_reading(); }

void CompiledPage::stop_reading() {
  cancel_ = true;
  if (reader_.joinable()) reader_.join();
  cancel_ = false;
}

bool CompiledPage::take_file(const std::filesystem::path& file) {
  if (!compiled::is_compiled_output(file)) return false;
  program().end_presenting();
  stop_reading();
  path_ = file;
  all_ = {};
  rows_.clear();
  cursor_ = 0;
  error_.clear();
  ended_ = false;
  files_done_ = files_ = 0;
  reader_ = std::thread([this, file] {
    auto found = compiled::open_compiled(file, [this](std::size_t done, std::size_t files) {
      files_done_ = done;
      files_ = files;
      return !cancel_;
    });
    if (!found)
      read_error_ = found.error();
    else if (*found)
      read_ = std::move(**found);
    ended_ = true;
  });
  return true;
}

void CompiledPage::watch() {
  if (!reader_.joinable() || !ended_) return;
  reader_.join();
  all_ = std::exchange(read_, {});
  error_ = std::exchange(read_error_, {});
  for (std::size_t i = 0; i < all_.kernels.size(); ++i) rows_.push_back({Row::Kind::kernel, i});
  for (std::size_t i = 0; i < all_.library_calls.size(); ++i) rows_.push_back({Row::Kind::library_call, i});
  for (std::size_t i = 0; i < all_.events.size(); ++i) rows_.push_back({Row::Kind::event, i});
}

bool CompiledPage::close() {
  if (reader_.joinable()) {
    stop_reading();
    read_ = {};
    read_error_.clear();
  }
  return true;
}

void CompiledPage::open_chosen() {
  if (cursor_ >= rows_.size() || rows_[cursor_].kind != Row::Kind::kernel) return;
  if (const auto file = runnable_file(all_.kernels[rows_[cursor_].index]); !file.empty()) program().take_file(file);
}

void CompiledPage::paint(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const float width = canvas.width(), height = canvas.height();
  canvas.fill({0, 0, width, height}, theme.ground);
  const Box head = {compiled_margin, 0, width - 2 * compiled_margin, compiled_head};
  const std::string heading = ui.word("compiled", "heading");
  canvas.text_in(head, Style::heading, theme.text, heading);
  const float used = canvas.text_width(Style::heading, heading) + 24;
  canvas.text_in({head.x + used, head.y, head.width - used, head.height}, Style::label, theme.second,
                 ui.word("compiled", reader_.joinable() ? "closing.reading" : "closing"), draw::Align::right);
  float y = compiled_head;
  const auto count = [](std::size_t n) { return fmt::to_string(n); };
  const auto breaks =
      static_cast<std::size_t>(std::ranges::count(all_.events, CompileEvent::Kind::graph_break, &CompileEvent::kind));
  std::string summary = reader_.joinable() ? ui.word("compiled", files_ == 0 ? "reading" : "reading.files",
                                                     {{"n", count(files_done_)}, {"files", count(files_)}})
                        : !error_.empty()  ? error_
                                           : ui.word("compiled", "summary",
                                                     {{"kernels", count(all_.kernels.size())},
                                                      {"calls", count(all_.library_calls.size())},
                                                      {"breaks", count(breaks)},
                                                      {"again", count(all_.events.size() - breaks)}});
  if (!all_.problems.empty())
    summary += " " + ui.word("compiled", "problems", {{"n", count(all_.problems.size())}, {"first", all_.problems[0]}});
  canvas.text({head.x, y}, Style::mono_small, theme.second, path_.string(), head.width);
  y += 22;
  y += canvas.paragraph({head.x, y}, Style::body, theme.text, summary, head.width, 3) + 14;
  if (rows_.empty()) return;
  const float left = std::clamp(0.46f * head.width, 300.0f, 720.0f);
  const float bottom = height - 12;
  paint_rows(ui, {head.x, y, left, bottom - y});
  const float x = head.x + left + compiled_gap;
  canvas.line({x - compiled_gap / 2, y}, {x - compiled_gap / 2, bottom}, theme.line, theme.hairline);
  paint_chosen(ui, {x, y, head.right() - x, bottom - y});
}

void CompiledPage::paint_rows(draw::Ui& ui, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const auto page = static_cast<std::size_t>(std::max(1.0f, box.height / compiled_row));
  const Box list = {box.x - 8, box.y, box.width + 16, compiled_row * static_cast<float>(page)};
  cursor_ = ui.list("compiled.rows", list, std::min(cursor_, rows_.size() - 1), rows_.size(), page, true);
  const std::size_t first = cursor_ < page ? 0 : cursor_ + 1 - page;
  float y = box.y;
  bool chosen = false;
  for (std::size_t i = first; i < std::min(rows_.size(), first + page); ++i, y += compiled_row) {
    const Box line = {list.x, y, list.width, compiled_row - 2};
    if (i == cursor_)
      canvas.fill(line, draw::mixed(theme.now, theme.ground, 0.16f), 4);
    else if (ui.hovered(line))
      canvas.fill(line, draw::mixed(theme.text, theme.ground, 0.08f), 4);
    std::string name, place;
    ImU32 colour = theme.text;
    if (rows_[i].kind == Row::Kind::kernel) {
      const CompiledKernel& kernel = all_.kernels[rows_[i].index];
      name = kernel.name;
      const PythonLine& at = kernel.python.empty() ? kernel.triton : kernel.python.front();
      if (at.line > 0) place = file_and_line(at);
      if (kernel.python.size() > 1)
        place += " " + ui.word("compiled", "more", {{"n", fmt::to_string(kernel.python.size() - 1)}});
    } else if (rows_[i].kind == Row::Kind::library_call) {
      const compiled::LibraryCall& call = all_.library_calls[rows_[i].index];
      name = call.name;
      const auto placed = std::ranges::find_if(call.fx, [](const FxNode& node) { return node.python.line > 0; });
      place = ui.word("compiled", "row.library");
      if (placed != call.fx.end()) place = file_and_line(placed->python) + ", " + place;
      colour = theme.second;
    } else {
      const CompileEvent& event = all_.events[rows_[i].index];
      name = ui.word("compiled", event.kind == CompileEvent::Kind::graph_break ? "break" : "again",
                     {{"id", event.compile_id}});
      if (event.python.line > 0) place = file_and_line(event.python);
      colour = theme.launch;
    }
    const float room = std::min(canvas.text_width(Style::mono_small, place) + 16, 0.5f * box.width);
    const Box cell = {box.x, y, box.width - room, line.height};
    canvas.text_in(cell, Style::label, colour, canvas.fitted_name(Style::label, name, cell.width));
    canvas.text_in({box.right() - room, y, room, line.height}, Style::mono_small, theme.second, place,
                   draw::Align::right);
    if (ui.hovered(line) && ui.input().mouse_pressed) {
      chosen = i == cursor_;
      cursor_ = i;
    }
  }
  for (const draw::KeyPress& press : ui.input().keys) chosen = chosen || press.key == draw::Key::enter;
  if (chosen) open_chosen();
}

void CompiledPage::paint_chosen(draw::Ui& ui, const Box& box) const {
  FactColumn facts(ui, box);
  const Row& row = rows_[std::min(cursor_, rows_.size() - 1)];
  if (row.kind == Row::Kind::event) {
    const CompileEvent& event = all_.events[row.index];
    const bool is_break = event.kind == CompileEvent::Kind::graph_break;
    facts.title(ui.word("compiled", is_break ? "break" : "again", {{"id", event.compile_id}}));
    facts.sentence(ui.word("compiled", is_break ? "break.what" : "again.what"));
    if (event.python.line > 0) facts.lines(is_break ? "at" : "function", {event.python});
    facts.fact("reason", event.reason);
    facts.fact("hints", fmt::format("{}", fmt::join(event.hints, "\n")));
    return;
  }
  if (row.kind == Row::Kind::library_call) {
    const compiled::LibraryCall& call = all_.library_calls[row.index];
    facts.title(call.name);
    facts.sentence(ui.word("compiled", "library.what"));
    facts.fact("nodes", joined_names(call.fx));
    std::vector<PythonLine> lines;
    for (const FxNode& node : call.fx)
      if (node.python.line > 0 && std::ranges::find(lines, node.python) == lines.end()) lines.push_back(node.python);
    facts.lines("lines", lines);
    facts.fact("compilation", call.compile_id);
    return;
  }
  const CompiledKernel& kernel = all_.kernels[row.index];
  facts.title(kernel.name);
  facts.sentence(ui.word("compiled", runnable_file(kernel).empty() ? "not_here" : "enter"));
  facts.lines("lines", kernel.python);
  facts.fact("ops", fmt::format("{}", fmt::join(kernel.ops, ", ")));
  facts.fact("nodes", joined_names(kernel.fx));
  if (kernel.triton.line > 0) facts.lines("triton", {kernel.triton});
  if (kernel.warps > 0)
    facts.fact("options", ui.word("compiled", kernel.shared_bytes < 0 ? "options.text" : "options.shared",
                                  {{"target", kernel.target},
                                   {"warps", fmt::to_string(kernel.warps)},
                                   {"stages", fmt::to_string(kernel.stages)},
                                   {"bytes", fmt::to_string(kernel.shared_bytes)}}));
  std::vector<std::string> stages;
  for (const char* const stage : {"ttir", "ttgir", "llir", "ptx", "cubin"})
    if (kernel.files.contains(stage)) stages.emplace_back(stage);
  facts.fact("stages", fmt::format("{}", fmt::join(stages, " → ")));
  facts.fact("compilation", kernel.compile_id);
  facts.code("source", kernel.source);
}

void CompiledPage::report(Report& report) const {
  if (!shown()) return;
  report.text("compiled", rows_.empty() ? error_ : fmt::format("{} of {}", cursor_ + 1, rows_.size()));
}

}  // namespace warpwalk::pages
