#include "app/draw/text/text_editor.h"

#include <algorithm>

#include "app/draw/text/utf8.h"
#include "core/base/text.h"

namespace warpwalk::draw {
namespace {

constexpr std::size_t max_undo = 64;

/// Without carriage returns and control characters; at most `room` bytes, ending with a whole character.
std::string plain(std::string_view text, std::size_t room) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < ' ' && c != '\n' && c != '\t') || byte == 0x7f) continue;
    if (out.size() == room) {
      while (!out.empty() && inside_character(out.back())) out.pop_back();
      if (!out.empty() && (out.back() & 0x80) != 0) out.pop_back();
      break;
    }
    out.push_back(c);
  }
  return out;
}

/// The place so many lines above or below; beyond the first or last line, the begin or end of the text.
std::size_t vertical(const TextLines& lines, std::size_t place, std::size_t count, bool down) {
  const std::size_t at = lines.line_of(place);
  if (!down && at == 0) return 0;
  if (down && at + 1 == lines.size()) return lines.text().size();
  return lines.place_at(down ? std::min(at + count, lines.size() - 1) : at - std::min(at, count),
                        lines.column_of(place));
}

}  // namespace

void TextEditor::set_text(std::string_view text) {
  remember(Edit::other);
  lines_.set_text(plain(text, max_bytes));
  ++revision_;
  caret_ = anchor_ = top = left = 0;
}

void TextEditor::forget_undo() {
  undo_.clear();
  redo_.clear();
  last_ = Edit::none;
}

std::pair<std::size_t, std::size_t> TextEditor::selected() const { return std::minmax(caret_, anchor_); }

void TextEditor::go(std::size_t place, bool keep) {
  caret_ = std::min(place, text().size());
  if (!keep) anchor_ = caret_;
  last_ = Edit::none;
}

// A run of typed characters is undone at once.
void TextEditor::remember(Edit kind) {
  redo_.clear();
  if (kind == last_ && kind != Edit::other) return;
  last_ = kind;
  if (undo_.size() == max_undo) undo_.erase(undo_.begin());
  undo_.push_back({text(), caret_});
}

void TextEditor::restore(std::vector<State>& from, std::vector<State>& to) {
  last_ = Edit::none;
  if (from.empty()) return;
  to.push_back({text(), caret_});
  lines_.set_text(std::move(from.back().text));
  caret_ = anchor_ = from.back().caret;
  from.pop_back();
  ++revision_;
}

void TextEditor::erase(std::size_t from, std::size_t to, Edit kind) {
  if (from >= to) return;
  remember(kind);
  lines_.replace(from, to - from, {});
  caret_ = anchor_ = from;
  ++revision_;
}

void TextEditor::put(std::string_view what, Edit kind) {
  const auto [from, to] = selected();
  const std::string text = plain(what, max_bytes - (this->text().size() - (to - from)));
  if (text.empty() && from == to) return;
  remember(from == to ? kind : Edit::other);
  lines_.replace(from, to - from, text);
  caret_ = anchor_ = from + text.size();
  ++revision_;
}

bool TextEditor::type(const draw::KeyPress& press, std::size_t page, std::string* copied) {
  using draw::Key;
  const auto [from, to] = selected();
  const bool any = from != to;
  const bool leaves = any && !press.shift && !press.control;
  const auto move = [&](std::size_t place) {
    go(place, press.shift);
    return true;
  };
  const auto take = [&, from = from, to = to](std::size_t begin, std::size_t end) {
    erase(any ? from : begin, any ? to : end, any ? Edit::other : Edit::erasing);
    return true;
  };
  const auto start_of_line = [&] {
    const std::size_t line = lines_.line_of(caret_), begin = lines_.start(line);
    const std::string_view text = lines_[line];
    const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
    return caret_ == begin + indent ? begin : begin + indent;
  };
  switch (press.key) {
    case Key::character:
      if (!press.control) {
        std::string typed;
        base::append_utf8(typed, press.character);
        put(typed, Edit::typing);
        return true;
      }
      switch (press.character) {
        case U'a':
          anchor_ = 0;
          caret_ = text().size();
          return true;
        case U'v': put(press.pasted, Edit::other); return true;
        case U'z': restore(undo_, redo_); return true;
        case U'y': restore(redo_, undo_); return true;
        case U'c':
        case U'x':
          if (copied == nullptr) return false;
          if (any) *copied = text().substr(from, to - from);
          if (any && press.character == U'x') take(from, to);
          return true;
        default: return false;
      }
    case Key::space: put(" ", Edit::typing); return true;
    case Key::enter: {
      if (press.control) return false;
      const std::size_t line = lines_.line_of(from);
      const std::string_view text = lines_[line];
      const std::size_t indent = std::min({text.find_first_not_of(" \t"), text.size(), from - lines_.start(line)});
      put("\n" + std::string(text.substr(0, indent)), Edit::other);
      return true;
    }
    case Key::backspace:
      return take(press.control ? word_before(text(), caret_) : character_before(text(), caret_), caret_);
    case Key::del: return take(caret_, press.control ? word_after(text(), caret_) : character_after(text(), caret_));
    case Key::left:
      return move(leaves ? from : press.control ? word_before(text(), caret_) : character_before(text(), caret_));
    case Key::right:
      return move(leaves ? to : press.control ? word_after(text(), caret_) : character_after(text(), caret_));
    case Key::up: return move(vertical(lines_, caret_, 1, false));
    case Key::down: return move(vertical(lines_, caret_, 1, true));
    case Key::page_up: return move(vertical(lines_, caret_, page, false));
    case Key::page_down: return move(vertical(lines_, caret_, page, true));
    case Key::home: return move(press.control ? 0 : start_of_line());
    case Key::end: {
      const std::size_t line = lines_.line_of(caret_);
      return move(press.control ? text().size() : lines_.start(line) + lines_[line].size());
    }
    default: return false;
  }
}

void TextEditor::show_caret(std::size_t rows, std::size_t columns) {
  rows = std::max<std::size_t>(rows, 1);
  columns = std::max<std::size_t>(columns, 1);
  const std::size_t at = lines_.line_of(caret_), column = lines_.column_of(caret_);
  top = std::clamp(top, at + 1 > rows ? at + 1 - rows : 0, at);
  left = std::clamp(left, column + 1 > columns ? column + 1 - columns : 0, column);
}

}  // namespace warpwalk::draw
