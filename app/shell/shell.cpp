#include "app/shell/shell.h"

#include <utility>

#include <fmt/format.h>

#include "app/pages/kernel_lab/kernel_lab_page.h"
#include "app/shell/frame.h"
#include "app/shell/walk_frame.h"
#include "app/shell/window_state.h"

namespace warpwalk::shell {
namespace {

// Draws the page that is shown. `before`: the page of the frame before, or null.
void paint_page(draw::Canvas& canvas, const draw::Input& input, const Parts& parts, const Pages& pages,
                const pages::Page* before) {
  pages::Page* const page = pages.shown();
  if (page == nullptr) return;
  draw::Input fresh = input;
  if (page != before) fresh.keys.clear();  // the page does not get the keys that opened it
  draw::UiMemory none;
  draw::Ui ui(canvas, fresh, page->memory() != nullptr ? *page->memory() : none, parts.words);
  page->paint(ui);
  ui.finish();
}

// Puts on the clipboard what was copied from a text field.
void copy(draw::UiMemory& memory, const Host& host) {
  if (memory.copied.empty()) return;
  if (host.copy) host.copy(memory.copied);
  memory.copied.clear();
}

}  // namespace

Shell::Shell(story::Narration narration, records::Hardware hardware, Host host, Settings settings)
    : parts_(std::move(narration), std::move(hardware), std::move(host), std::move(settings)),
      actions_(parts_, pages_),
      pages_({parts_.environment, parts_.opened(), parts_.stages.histories(), parts_.settings.recent,
              parts_.session.transport(), parts_.panels.strip, parts_.messages, actions_}) {}

bool Shell::busy() const { return window_busy(parts_, pages_); }

bool Shell::observing() const {
  const pages::Page* const page = pages_.shown();
  return page != nullptr && page->live();
}

bool Shell::learning() const {
  const std::string_view page = pages_.shown_name();
  const bool alone = page.empty() || page == "start" || page == "help" || page == "glossary";
  return parts_.opened().document != nullptr && !parts_.presentation.on() && !all_panels(parts_) && alone;
}

std::string Shell::title() const { return window_title(parts_); }

void Shell::lecturer_frame(draw::Canvas& canvas, const draw::Input& input) {
  const base::WithNumberMarks numbers(words::number_marks(parts_.words));
  Presentation& presentation = parts_.presentation;
  const panels::Note& note = parts_.messages.note();
  const std::string message = note.kind == panels::Note::Kind::hint ? std::string() : note.text;
  const LecturerPage& page = presentation.lecturer_page(parts_.stages, parts_.opened(), message);
  paint_lecturer(canvas, page, parts_.words, {&presentation.pen(), &presentation.steps(), &input});
  actions_.take_step();
}

bool Shell::take_read() {
  if (std::shared_ptr<const document::Document> ready = parts_.session.poll()) actions_.show_read(std::move(ready));
  return parts_.session.reading() != nullptr;
}

std::string Shell::open_on_page(const std::filesystem::path& file) {
  if (!pages_.take_file(file)) return fmt::format("{}: is no launch file", file.string());
  const pages::KernelLabState& lab = page<pages::KernelLabPage>().state();
  return page<pages::KernelLabPage>().shown() && lab.versions.front().opened.source.empty() ? lab.note : std::string();
}

// Files that were dropped, and links of another page. What was open over the frame would hide them.
void Shell::take_files(const draw::Input& input) {
  if (!input.dropped.empty() && pages_.take_file(input.dropped.front())) {
    for (std::size_t i = 1; i < input.dropped.size(); ++i) pages_.take_file(input.dropped[i]);
  } else if (input.dropped.size() > 1) {
    pages_.close();
    actions_.open_ranks(input.dropped);
  } else if (!input.dropped.empty()) {
    pages_.close();
    actions_.open(input.dropped.front());
  }
  for (const std::string& link : input.links) {
    pages_.close();
    if (!actions_.open_link(link)) parts_.messages.fail("link_unreadable", {{"link", link}});
  }
}

void Shell::frame(draw::Canvas& canvas, const draw::Input& input) {
  const base::WithNumberMarks numbers(words::number_marks(parts_.words));
  const bool presented = parts_.presentation.on();
  take_files(input);
  take_read();
  if (parts_.opened().document) parts_.compared.watch();
  parts_.film.watch();
  for (const auto& page : pages_.all()) page->watch();
  // A page takes the keys; the frame below it gets none.
  const pages::Page* const before = pages_.shown();
  take_keys(input, parts_, pages_, actions_);
  parts_.navigation.advance(input.seconds);

  const bool covered = before != nullptr || pages_.shown() != nullptr;
  // The window leaves the projector before it shows more than the stage: this frame stays empty.
  const bool ends = presented && !parts_.presentation.on();
  draw::Input below = pointer_.input_below(input, covered, parts_.presentation.on());
  if (parts_.presentation.on() && !covered)
    below = parts_.presentation.pen().take(input, below, canvas.width(), canvas.height());
  draw::Ui ui(canvas, below, parts_.panels.memory, parts_.words);
  parts_.stages.want_history(parts_.opened());
  if (parts_.opened().document) {
    parts_.questions.update();
    parts_.presentation.follow(parts_.opened());
    if (ends || parts_.presentation.blank()) {
      // nothing is shown
    } else if (parts_.presentation.on()) {
      actions_.touch(paint_presented(canvas, &ui, *parts_.opened().stage));
      parts_.presentation.pen().paint(canvas);
    } else if (pages_.shown() == nullptr || !pages_.shown()->covers()) {
      if (all_panels(parts_))
        paint_walk(ui, parts_, actions_, pages_.work());
      else
        paint_learner(ui, parts_, actions_, pages_.work());
    }
  } else {
    paint_waiting(canvas, parts_);
  }
  ui.finish();
  if (!ends) paint_page(canvas, input, parts_, pages_, before);

  copy(parts_.panels.memory, parts_.host);
  for (const auto& page : pages_.all()) {
    if (page->memory() != nullptr) copy(*page->memory(), parts_.host);
    // After everything that may have changed it, as the window may be closed before the next frame.
    page->keep();
  }
  actions_.keep_lesson_step();
  if (!parts_.host.report) return;
  std::string line = window_state(parts_, pages_);
  if (line != reported_) parts_.host.report(line);
  reported_ = std::move(line);
}

}  // namespace warpwalk::shell
