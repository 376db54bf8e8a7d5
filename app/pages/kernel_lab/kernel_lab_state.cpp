#include "app/pages/kernel_lab/kernel_lab_state.h"

#include <algorithm>

#include "core/run/kernel_lab/launch_statement.h"

namespace warpwalk::pages {

run::KernelDraft LabVersion::draft() const {
  run::KernelDraft draft = opened;
  draft.source = source.text();
  draft.launch = launch.text();
  return draft;
}

void LabVersion::open(const run::KernelDraft& draft) {
  const bool other_language = opened.language != draft.language;
  opened = draft;
  source.set_text(draft.source);
  launch.set_text(draft.launch);
  // An earlier text may name recorded contents of another launch.
  if (draft.recorded != nullptr) launch.forget_undo();
  // The editor leaves out carriage returns; compiled code still belongs to what is shown then.
  if (draft.uses_precompiled()) opened.precompiled.source = source.text();
  if (other_language) source.forget_undo();  // the other language's text would not belong to this file
  messages.clear();
  checks.clear();
  run.reset();
}

void LabVersion::set_statement(std::string_view word, std::string_view value) {
  launch.set_text(run::with_statement(launch.text(), word, value));
  messages.clear();
}

bool LabVersion::can_trust() const {
  return up_to_date() && run->findings.empty() && std::ranges::all_of(checks, &run::ResultCheck::good);
}

void LabVersion::trust() {
  opened.expected = run::trusted_results(*run);
  ran.expected = opened.expected;
  checks = run::check_results(*run, opened.expected);
}

std::optional<run::KernelDraft> LabVersion::ptx_draft() const {
  run::KernelDraft typed = draft();
  if (auto ptx = run::as_ptx(typed)) return ptx;
  if (typed.language == run::DraftLanguage::ptx || !up_to_date() || run->loaded.ptx.empty()) return {};
  typed.precompiled = {typed.source, run->loaded.ptx, run->loaded.cubin, "from cubin"};
  return run::as_ptx(typed);
}

std::vector<EditorMark> LabVersion::marks(run::Diagnostic::Text text) const {
  std::vector<EditorMark> marks;
  for (const run::Diagnostic& message : messages)
    if (message.text == text && message.line != 0)
      marks.push_back(
          {message.line, message.warning ? EditorMark::Kind::warning : EditorMark::Kind::error, message.message});
  if (up_to_date())
    for (const run::Diagnostic& finding : run->findings)
      for (const std::uint32_t line : {finding.line, finding.other_line})
        if (finding.text == text && line != 0) marks.push_back({line, EditorMark::Kind::finding, finding.message});
  return marks;
}

}  // namespace warpwalk::pages
