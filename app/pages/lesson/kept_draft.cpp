#include "app/pages/lesson/kept_draft.h"

#include <system_error>
#include <utility>

#include "app/lessons/lesson_draft_text.h"
#include "core/platform/output_file.h"
#include "core/platform/read_file.h"

namespace warpwalk::pages {
namespace {

constexpr std::uint64_t max_draft_bytes = 8u << 20;

}  // namespace

base::Result<std::optional<lessons::LessonDraft>> KeptDraft::find() {
  using Found = std::optional<lessons::LessonDraft>;
  if (std::exchange(found_, true) || file_.empty()) return Found();
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) return Found();
  const auto read = platform::read_text_file(file_, max_draft_bytes);
  if (Found draft = read ? lessons::draft_of_text(read->text) : std::nullopt) {
    revision_ = draft->revision();
    kept_ = true;
    return draft;
  }
  // It may be worth a look, and would be overwritten.
  const std::filesystem::path aside = file_.string() + ".unreadable";
  std::filesystem::rename(file_, aside, error);
  return base::Error{aside.string()};
}

base::Result<void> KeptDraft::keep(const lessons::LessonDraft& draft) {
  const bool wanted = draft.unsaved() && !(draft.steps().empty() && draft.title().empty());
  if (file_.empty() || (wanted ? kept_ && revision_ == draft.revision() : !kept_)) return {};
  std::error_code error;
  kept_ = wanted;
  revision_ = draft.revision();
  if (!wanted) {
    std::filesystem::remove(file_, error);
    return {};
  }
  std::filesystem::create_directories(file_.parent_path(), error);
  return platform::write_regular_file(file_, lessons::text_of(draft));
}

}  // namespace warpwalk::pages
