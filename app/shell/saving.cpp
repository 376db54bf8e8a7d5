#include "app/shell/saving.h"

namespace warpwalk::shell {

bool saved(Parts& parts) {
  if (parts.opened().document->unsaved) parts.messages.fail("not_saved");
  return !parts.opened().document->unsaved;
}

void copy_link(Parts& parts) {
  if (!saved(parts)) return;
  std::string command = parts.host.address ? parts.host.address() : "";
  if (command.empty())
    command = document::command_for(document::named(parts.opened().view, *parts.opened().stage),
                                    theme_of(parts.settings).name, parts.opened().own);
  parts.host.copy(command);
  parts.messages.confirm("copied", {{"command", command}});
}

void save_picture(Parts& parts, PictureFormat format) {
  const base::Result<std::string> file =
      parts.host.save_picture(*parts.opened().stage, theme_of(parts.settings), parts.opened().view, format);
  if (file)
    parts.messages.confirm_saved(*file);
  else
    parts.messages.error(file.error());
}

std::optional<View> save_walk(Parts& parts) {
  const document::Document& document = *parts.opened().document;
  if (!document.unsaved) {
    parts.messages.confirm("saved_already", {{"file", document.file.string()}});
    return {};
  }
  const base::Result<std::string> file = parts.host.save_walk(document.trace());
  if (!file) {
    parts.messages.error(file.error());
    return {};
  }
  View view = parts.opened().view;
  view.file = *file;
  return view;
}

}  // namespace warpwalk::shell
