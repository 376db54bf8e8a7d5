#include "app/pages/what_if/what_if_page.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/panels/sheet.h"
#include "core/words/advice_text.h"
#include "core/words/prediction_text.h"

namespace warpwalk::pages {

// From the changed trace, the key leads back.
bool WhatIfPage::open(Action) {
  if (opened().document == nullptr) return false;
  if (back_) return take_back();
  if (listed_ != opened().document || walk_.kernel != opened().walk.kernel || walk_.op != opened().walk.op)
    list_changes();
  return true;
}

void WhatIfPage::list_changes() {
  listed_ = opened().document;
  walk_ = opened().walk;
  const document::Document& document = *listed_;
  const std::int64_t path = document.overview.path.span();
  WhatIfState fresh;
  std::vector<runs::PredictJob::Set> sets;
  for (const analysis::Suggestion& one :
       analysis::suggested_changes(document.trace(), document.overview.advice, walk_.kernel, walk_.op)) {
    WhatIfRow row;
    std::int64_t at_most = 0;
    for (const std::size_t i : one.advice) {
      const analysis::Advice& advice = document.overview.advice[i];
      at_most += advice.at_most;
      const words::AdviceText text = words::advice_text(words(), advice, path);
      row.why += (row.why.empty() ? "" : "\n") + text.what;
      if (!one.change) row.what = text.what;
      if (!one.change) row.why += ". " + text.action;
    }
    if (at_most > 0 && path > 0) row.at_most = static_cast<double>(at_most) / static_cast<double>(path);
    if (one.change) {
      row.change = one.change->text;
      row.what = words::change_text(words(), *one.change);
      sets.push_back({row.change});
      const auto before = std::ranges::find(state_.rows, row.change, &WhatIfRow::change);
      row.ticked = before != state_.rows.end() && before->ticked;
    }
    fresh.rows.push_back(std::move(row));
  }
  fresh.cursor = std::min(state_.cursor, fresh.rows.size() - 1);
  state_ = std::move(fresh);
  job_.start(listed_, context().environment.hardware.devices, std::move(sets));
}

void WhatIfPage::leave() { job_.stop(); }

// Esc first ends the work on a changed trace.
bool WhatIfPage::close() {
  if (!job_.making()) return true;
  job_.stop();
  return false;
}

std::string WhatIfPage::work() const { return job_.making() ? words().text("what_if", "making") : std::string(); }

void WhatIfPage::watch() {
  job_.watch();
  if (auto made = job_.take_made()) show_made(std::move(made));
}

void WhatIfPage::show_made(std::shared_ptr<const document::Document> made) {
  Back back = {opened().document, opened().view};
  document::View view;
  view.file = made->file;
  view.scene = document::overview_scene;
  view.naming = opened().view.naming;
  if (!opened().document->unsaved) view.compare = opened().document->file;
  WhatIfState kept = state_;
  program().take(std::move(made), view);
  back_ = std::move(back);
  state_ = std::move(kept);
  program().close_page();
  context().messages.hint(words().text("what_if", "back"));
}

bool WhatIfPage::take_back() {
  if (!back_) return false;
  const Back back = *std::exchange(back_, {});
  WhatIfState kept = std::move(state_);
  program().restore(back.document, back.view);
  state_ = std::move(kept);
  context().messages.clear();
  list_changes();
  return true;
}

void WhatIfPage::document_changed() {
  back_.reset();
  listed_.reset();
  job_.forget();
  state_ = {};
}

void WhatIfPage::paint(draw::Ui& ui) {
  constexpr float width = 1080, height = 640;
  const draw::Box box = panels::sheet(ui, width, height, ui.word("what_if", "heading"), ui.word("what_if", "closing"));
  if (opened().document != listed_) return;
  // What was interrupted goes on.
  if (!job_.busy())
    for (auto row = state_.rows.rbegin(); row != state_.rows.rend(); ++row)
      if (!row->change.empty()) job_.want({row->change});
  runs::PredictJob::Set chosen = state_.chosen();
  if (!chosen.empty()) job_.want(chosen);
  if (what_if_view(ui, box, job_, state_) != WhatIfChoice::open) return;
  chosen = state_.chosen();
  const runs::PredictedChanges* const known = job_.find(chosen);
  if (chosen.empty() || (known != nullptr && !known->prediction.step)) return;
  job_.make(chosen, ui.word("what_if", "file",
                            {{"file", listed_->file.filename().string()},
                             {"changes", fmt::format("{}", fmt::join(chosen, ", "))}}));
}

void WhatIfPage::report(Report& report) const {
  if (listed_ == nullptr) return;
  const runs::PredictedChanges* const known = job_.find(state_.chosen());
  if (known != nullptr && known->prediction.step) report.number("predicted_ms", *known->prediction.step / 1e6);
}

}  // namespace warpwalk::pages
