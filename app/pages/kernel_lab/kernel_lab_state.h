#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/text/text_editor.h"
#include "app/draw/ui.h"
#include "app/pages/kernel_lab/editor_view.h"
#include "app/pages/kernel_lab/kernel_lab_stages.h"
#include "core/run/kernel_lab/expected_results.h"
#include "core/run/kernel_lab/run_draft.h"

namespace warpwalk::pages {

/// One of the two versions in the Kernel lab: what is typed, and what the last check or run said about it.
struct LabVersion {
  draw::TextEditor source, launch;
  run::KernelDraft opened;                   ///< the draft that the texts began with: language, name, precompiled code
  std::vector<run::Diagnostic> messages;     ///< of the last check or run
  std::shared_ptr<const run::DraftRun> run;  ///< the last run; null: none
  run::KernelDraft ran;                      ///< the draft of `run`
  std::vector<run::ResultCheck> checks;      ///< of the results of `run`; empty: nothing is expected
  bool program = false;                      ///< the source has a main(), so that its launches can be listed

  /// The draft as it is typed.
  run::KernelDraft draft() const;
  void open(const run::KernelDraft& draft);
  /// The PTX that the source was compiled to, with the same launch; none if it is not known, or is PTX already.
  std::optional<run::KernelDraft> ptx_draft() const;
  /// Whether the texts are those of the last run.
  bool up_to_date() const { return run != nullptr && ran == draft(); }
  /// Sets a statement of the launch, such as "gpu h200", which can be undone like what is typed.
  void set_statement(std::string_view word, std::string_view value);
  std::vector<EditorMark> marks(run::Diagnostic::Text text) const;
  /// Whether the last run may be trusted: it is of these texts, nothing was found, and no result is unexpected.
  bool can_trust() const;
  /// From now on, the results of the last run are expected, and saved with the launch.
  void trust();
};

/// The list in place of the results: what can be opened, the GPUs, or the launches of the program.
enum class LabList : unsigned char { none, drafts, gpus, launches };

/// An element of a buffer after a run, of which a person asks who wrote it.
struct AskedElement {
  std::size_t buffer = 0;  ///< of the launch
  std::uint64_t byte = 0;  ///< its first one, in the buffer
  std::size_t bytes = 4;
};

/// The state of the Kernel lab between frames.
struct KernelLabState {
  draw::UiMemory memory;
  std::array<LabVersion, 2> versions;
  std::size_t active = 0;  ///< the version that was edited last
  bool compare = false;    ///< both versions are shown
  LabList list = LabList::none;
  std::size_t listed = 0;  ///< its current row
  bool sanitize = true;
  bool all_figures = false;                          ///< the results list all figures, not only the main ones
  run::LineMetric metric = run::LineMetric::stalls;  ///< by which lines are ranked
  std::size_t first_row = 0;                         ///< of the results, when they are scrolled
  LabStages stages;                                  ///< of a Triton kernel, instead of editors and results
  std::optional<AskedElement> asked;                 ///< the run is walked to the instruction that wrote it
  std::string note;                                  ///< what was done last (saved, cancelled), one line; may be empty

  LabVersion& version() { return versions[active]; }
};

}  // namespace warpwalk::pages
