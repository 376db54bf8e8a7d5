#include "app/pages/files/files.h"

#include <algorithm>
#include <array>
#include <ctime>

#include <fmt/format.h>

#include "app/panels/sheet.h"
#include "core/story/elements/figure.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Key;
using draw::Style;

constexpr float files_width = 1040, files_height = 560;
constexpr float file_row_height = 32, path_field_height = 40, places_width = 176, files_gap = 24,
                files_foot_height = 32;
constexpr float size_room = 96, date_room = 152;

constexpr std::array<std::string_view, files_places> place_words = {"recent", "walks", "lessons", "here", "home"};

// A row of the list on the right.
struct FileRow {
  std::string title, detail;
  bool folder = false;
  std::uintmax_t bytes = 0;
  std::int64_t modified = 0;
  std::filesystem::path path;
};

bool is_folder_place(FilesPlace place) { return place == FilesPlace::here || place == FilesPlace::home; }

const std::vector<FileChoice>& list_of(const FileLists& lists, FilesPlace place) {
  return place == FilesPlace::recent ? lists.recent : place == FilesPlace::walks ? lists.walks : lists.lessons;
}

bool has_parent(const document::FolderListing& listing) {
  return listing.folder.has_parent_path() && listing.folder.parent_path() != listing.folder;
}

// The folder that contains this one; a path may end in a slash.
std::filesystem::path parent_of(const std::filesystem::path& folder) {
  return folder.has_filename() ? folder.parent_path() : folder.parent_path().parent_path();
}

std::string name_of_folder(const std::filesystem::path& folder) {
  return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

std::size_t file_rows(const FileLists& lists, const FilesState& state) {
  if (!is_folder_place(state.place)) return list_of(lists, state.place).size();
  if (!state.folder) return 0;
  return state.folder->entries.size() + (has_parent(*state.folder) ? 1 : 0);
}

// Only visible rows are made: a folder may have very many.
FileRow row_at(draw::Ui& ui, const FileLists& lists, const FilesState& state, std::size_t i) {
  if (!is_folder_place(state.place)) {
    const FileChoice& choice = list_of(lists, state.place)[i];
    return {choice.title, choice.detail, false, choice.bytes, choice.modified, choice.file};
  }
  const document::FolderListing& listing = *state.folder;
  const bool parent = has_parent(listing);
  if (parent && i == 0) return {"..", ui.word("files", "parent"), true, 0, 0, parent_of(listing.folder)};
  const document::FolderEntry& entry = listing.entries[i - (parent ? 1 : 0)];
  return {entry.name, "", entry.folder, entry.bytes, entry.modified, listing.folder / entry.name};
}

std::string date_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  localtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min);
}

void go_to(FilesState& state, FilesPlace place) {
  state.place = place;
  state.cursor = state.first = 0;
  state.entered_from.clear();
}

// Asks for the folder of a place that shows one.
void show_place(FilesState& state, FilesPlace place, FilesAnswer& answer) {
  if (state.chooser && place == FilesPlace::here) {
    answer.choose = true;
    return;
  }
  go_to(state, place);
  state.error.clear();
  if (place == FilesPlace::here) answer.browse = ".";
  if (place == FilesPlace::home) answer.browse = document::expanded_path("~");
}

void choose_row(FilesState& state, const FileRow& row, FilesAnswer& answer) {
  if (!row.folder) {
    answer.open = row.path;
    return;
  }
  state.entered_from = row.title == ".." ? name_of_folder(state.folder->folder) : "";
  answer.browse = row.path;
}

void take_keys(draw::Ui& ui, const FileLists& lists, FilesState& state, std::size_t page, FilesAnswer& answer) {
  const std::size_t rows = file_rows(lists, state);
  for (const draw::KeyPress& press : ui.input().keys) {
    const bool typed = !state.path.text.empty();
    const bool browsing = is_folder_place(state.place) && state.folder && !typed;
    if (press.key == Key::down && state.cursor + 1 < rows)
      ++state.cursor;
    else if (press.key == Key::up && state.cursor > 0)
      --state.cursor;
    else if (press.key == Key::page_down && rows > 0)
      state.cursor = std::min(state.cursor + page, rows - 1);
    else if (press.key == Key::page_up)
      state.cursor -= std::min(state.cursor, page);
    else if (press.key == Key::tab && typed) {
      state.path.text = document::completed_path(state.path.text);
      state.path.caret = state.path.anchor = state.path.text.size();
      state.error.clear();
    } else if (press.key == Key::tab) {
      const auto at = static_cast<std::size_t>(state.place);
      show_place(state, static_cast<FilesPlace>((at + (press.shift ? files_places - 1 : 1)) % files_places), answer);
    } else if (browsing && (press.key == Key::left || press.key == Key::backspace) && has_parent(*state.folder)) {
      choose_row(state, row_at(ui, lists, state, 0), answer);
    } else if (browsing && press.key == Key::right && state.cursor < rows) {
      if (const FileRow row = row_at(ui, lists, state, state.cursor); row.folder) choose_row(state, row, answer);
    } else if (press.key == Key::enter) {
      std::error_code error;
      const std::filesystem::path path = document::expanded_path(state.path.text);
      if (typed && std::filesystem::is_directory(path, error)) {
        go_to(state, FilesPlace::here);
        state.path = {};
        answer.browse = path;
      } else if (typed) {
        answer.open = path;
      } else if (state.cursor < rows) {
        choose_row(state, row_at(ui, lists, state, state.cursor), answer);
      }
    } else if (press.key != Key::up && press.key != Key::down && state.path.type(press, nullptr)) {
      state.error.clear();
    }
  }
}

void paint_places(draw::Ui& ui, const Box& box, FilesState& state, FilesAnswer& answer) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  Box row = {box.x, box.y, box.width, file_row_height};
  for (std::size_t i = 0; i < files_places; ++i) {
    const auto place = static_cast<FilesPlace>(i);
    const bool on = place == state.place, over = ui.hovered(row);
    if (on || over) canvas.fill(row, draw::mixed(theme.second, theme.panel, on ? 0.28f : 0.16f), 6);
    canvas.text_in({row.x + 12, row.y, row.width - 24, row.height}, Style::label,
                   on || over ? theme.text : theme.second,
                   ui.word("files", state.chooser && place == FilesPlace::here ? "computer" : place_words[i]));
    if (over && ui.input().mouse_pressed) show_place(state, place, answer);
    row.y += file_row_height;
  }
}

// A folder is drawn, because not every font has a sign for it.
void paint_folder_sign(draw::Canvas& canvas, const Box& row) {
  const draw::Theme& theme = canvas.theme();
  const float x = row.x + 12, y = row.y + row.height / 2 - 6;
  canvas.fill({x, y, 7, 3}, theme.second, 1);
  canvas.fill({x, y + 2, 16, 11}, theme.second, 2);
}

void paint_row(draw::Ui& ui, const Box& box, const FileRow& row, bool at) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const bool over = ui.hovered(box);
  if (over || at) canvas.fill(box, draw::mixed(theme.second, theme.panel, at ? 0.28f : 0.16f), 6);
  if (at) canvas.outline(box, theme.text, 6, 1.5f);
  if (row.folder) paint_folder_sign(canvas, box);
  const float left = box.x + 40;
  const bool sized = row.bytes > 0 && !row.folder;
  const float end = box.right() - 12 - (sized ? size_room : 0) - (row.modified != 0 ? date_room : 0);
  const float used = canvas.text_in({left, box.y, end - left, box.height}, Style::label, theme.text, row.title);
  // Details are in a column of their own, unless a title reaches into it.
  const float column = row.folder ? left : left + 0.45f * (box.width - 52);
  const float detail = std::max(left + used + 16, column);
  if (!row.detail.empty() && end - detail > 60)
    canvas.text_in({detail, box.y, end - detail - 8, box.height}, Style::mono_small, theme.second, row.detail);
  if (sized)
    canvas.text_in({end, box.y, size_room, box.height}, Style::mono_small, theme.second,
                   story::bytes_text(static_cast<double>(row.bytes)), draw::Align::right);
  if (row.modified != 0)
    canvas.text_in({box.right() - 12 - date_room, box.y, date_room, box.height}, Style::mono_small, theme.second,
                   date_text(row.modified), draw::Align::right);
  if (over) ui.tooltip(row.path.string());
}

// The line above the list: the folder, or nothing.
void paint_path_field(draw::Ui& ui, const Box& box, const FilesState& state) {
  if (!is_folder_place(state.place) || !state.folder) return;
  ui.canvas().text_in(box, Style::mono_small, ui.theme().second, state.folder->folder.string());
}

std::string empty_words(draw::Ui& ui, const FilesState& state) {
  if (!is_folder_place(state.place))
    return ui.word("files", state.place == FilesPlace::recent ? "none.recent" : "none");
  if (!state.folder) return ui.word("files", "reading");
  if (!state.folder->error.empty())
    return ui.word("files", "unreadable", {{"folder", state.folder->folder.string()}, {"reason", state.folder->error}});
  return ui.word("files", "none.folder");
}

void paint_list(draw::Ui& ui, const Box& box, const FileLists& lists, FilesState& state, FilesAnswer& answer) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::size_t rows = file_rows(lists, state);
  const bool failed = is_folder_place(state.place) && state.folder && !state.folder->error.empty();
  const std::size_t own = is_folder_place(state.place) && state.folder && has_parent(*state.folder) ? 1 : 0;
  const auto room = static_cast<std::size_t>(std::max(1.0f, box.height / file_row_height));
  const float notches = ui.wheel(box);
  if (notches < 0) state.first = std::min(state.first + 3, rows > room ? rows - room : 0);
  if (notches > 0) state.first -= std::min<std::size_t>(state.first, 3);
  for (std::size_t i = state.first; i < std::min(rows, state.first + room); ++i) {
    const Box place = {box.x, box.y + file_row_height * static_cast<float>(i - state.first), box.width - 12,
                       file_row_height};
    const FileRow row = row_at(ui, lists, state, i);
    paint_row(ui, place, row, state.path.text.empty() && i == state.cursor);
    if (ui.hovered(place) && ui.input().mouse_pressed) {
      state.cursor = i;
      choose_row(state, row, answer);
    }
  }
  if (rows <= own || failed)
    canvas.paragraph({box.x + 12, box.y + file_row_height * static_cast<float>(own) + 8}, Style::label,
                     failed ? theme.text : theme.second, empty_words(ui, state), box.width - 24, 3);
  if (rows <= room) return;
  const float share = static_cast<float>(room) / static_cast<float>(rows);
  const float bar = std::max(24.0f, box.height * share);
  const float at = static_cast<float>(state.first) / static_cast<float>(rows - room);
  canvas.fill({box.right() - 4, box.y + (box.height - bar) * at, 4, bar}, draw::mixed(theme.second, theme.panel, 0.5f),
              2);
}

// After a folder was read: the cursor goes to the folder that the user came up from.
void find_cursor(const FileLists& lists, FilesState& state) {
  if (state.entered_from.empty() || !state.folder) return;
  const auto& entries = state.folder->entries;
  const auto found = std::ranges::find(entries, state.entered_from, &document::FolderEntry::name);
  if (found != entries.end())
    state.cursor = static_cast<std::size_t>(found - entries.begin()) + (has_parent(*state.folder) ? 1 : 0);
  state.cursor = std::min(state.cursor, std::max<std::size_t>(file_rows(lists, state), 1) - 1);
  state.entered_from.clear();
}

}  // namespace

FilesAnswer files(draw::Ui& ui, const FileLists& lists, FilesState& state) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  FilesAnswer answer;
  const Box box =
      panels::sheet(ui, files_width, files_height, ui.word("files", state.to_compare ? "heading.compare" : "heading"),
                    ui.word("files", "closing"));
  const Box field = {box.x, box.y, box.width, path_field_height};
  const float top = field.bottom() + 40;
  const Box places = {box.x, top, places_width, box.bottom() - top - files_foot_height};
  const Box list = {places.right() + files_gap, top, box.right() - places.right() - files_gap, places.height};
  const auto room = static_cast<std::size_t>(std::max(1.0f, list.height / file_row_height));

  find_cursor(lists, state);
  const std::size_t before = state.cursor;
  take_keys(ui, lists, state, std::max<std::size_t>(room, 2) - 1, answer);
  if (state.cursor != before || state.cursor < state.first)
    state.first = std::clamp(state.first, state.cursor >= room ? state.cursor - room + 1 : 0, state.cursor);

  draw::point_field(ui, "files.path", field, state.path);
  draw::paint_field(canvas, field, state.path, true, "");
  if (state.path.text.empty())
    canvas.text_in({field.x + 18, field.y, field.width - 30, field.height}, Style::label, theme.second,
                   ui.word("files", "hint"));
  const Box below = {list.x, field.bottom() + 8, list.width, 24};
  if (!state.error.empty())
    canvas.text_in({field.x + 12, below.y, field.width - 24, below.height}, Style::label, theme.launch, state.error);
  else
    paint_path_field(ui, {list.x + 12, below.y, list.width - 24, below.height}, state);
  paint_places(ui, places, state, answer);
  canvas.line({places.right() + files_gap / 2, places.y}, {places.right() + files_gap / 2, places.bottom()}, theme.line,
              theme.hairline);
  paint_list(ui, list, lists, state, answer);
  const Box foot = {box.x, box.bottom() - 20, box.width, 20};
  const std::size_t rows = file_rows(lists, state);
  canvas.text_in(foot, Style::label, theme.second, ui.word("files", "keys"));
  if (rows > 0)
    canvas.text_in(foot, Style::mono_small, theme.second,
                   ui.word("files", "count",
                           {{"n", fmt::format("{}", std::min(state.cursor + 1, rows))},
                            {"of", story::with_thousands(static_cast<std::int64_t>(rows))}}),
                   draw::Align::right);
  return answer;
}

}  // namespace warpwalk::pages
