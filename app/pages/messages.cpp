#include "app/pages/messages.h"

#include <system_error>

namespace warpwalk::pages {

void Messages::confirm(std::string_view key, const story::Narration::Values& values) {
  done(words_.text("note", key, values));
}

void Messages::fail(std::string_view key, const story::Narration::Values& values) {
  error(words_.text("note", key, values));
}

void Messages::confirm_saved(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(file, ignored).lexically_normal();
  confirm("saved", {{"file", whole.filename().string()}, {"folder", whole.parent_path().string()}});
}

}  // namespace warpwalk::pages
