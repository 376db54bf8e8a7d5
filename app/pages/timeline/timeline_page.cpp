#include "app/pages/timeline/timeline_page.h"

#include <utility>
#include <vector>

#include "app/pages/timeline/timeline_frame.h"

namespace warpwalk::pages {

// Esc leaves a field, then takes back the search, then the focus of the keyboard, and at last the page.
bool TimelinePage::close() {
  const bool searching = state_.typing == TimelineTyping::search || state_.search.on();
  if (state_.typing == TimelineTyping::note) {
    state_.typing = TimelineTyping::none;
    return false;
  }
  if (searching) {
    state_.typing = TimelineTyping::none;
    state_.search.field = {};
    update_search(opened().document->trace(), state_);
    return false;
  }
  if (state_.memory.focus_shown) {
    state_.memory.focus.clear();
    state_.memory.focus_shown = false;
    return false;
  }
  return true;
}

void TimelinePage::document_changed() {
  if (state_.prepared) marks_[state_.file] = std::move(state_.marks);
  state_ = {};
}

void TimelinePage::prepare() {
  const document::Document& document = *opened().document;
  prepare_timeline(document.trace(), opened().walk, state_);
  state_.file = document.file;
  pointed_ = {};
  if (const auto marks = marks_.find(state_.file); marks != marks_.end()) state_.marks = marks->second;
  TimelineNotebook& book = state_.notebook;
  if (document.unsaved) {
    book.writable = false;
    book.problem = words().text("timeline", "notes_unsaved");
    return;
  }
  base::Result<std::vector<TimelineNote>> read = read_notes(notes_file(state_.file));
  if (read) {
    book.notes = *std::move(read);
  } else {  // a file that was not read is not written over
    book.writable = false;
    book.problem = read.error();
  }
}

void TimelinePage::keep_notes() {
  TimelineNotebook& book = state_.notebook;
  const base::Result<void> written = write_notes(notes_file(state_.file), book.notes);
  book.problem = written ? std::string() : written.error();
}

void TimelinePage::paint(draw::Ui& ui) {
  if (!state_.prepared) prepare();
  if (opened().pointed != pointed_) {
    pointed_ = opened().pointed;
    if (pointed_.slice != trace::no_slice) state_.slice = pointed_.slice;
  }
  const trace::Trace& trace = opened().document->trace();
  const TimelineChoice choice = timeline(ui, trace, opened().walk, context().strip, state_);
  if (choice.keep_notes) keep_notes();
  if (choice.follow == trace::no_slice) return;
  program().close_page();
  program().follow(choice.follow);
}

}  // namespace warpwalk::pages
