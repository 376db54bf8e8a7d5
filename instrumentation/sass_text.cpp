#include "instrumentation/sass_text.h"

#include <algorithm>

#include "core/trace/sass_lines.h"

namespace warpwalk::recording {

std::string strip_folders(std::string_view sass) {
  std::string out;
  while (!sass.empty()) {
    const std::string_view line = sass.substr(0, sass.find('\n'));
    sass.remove_prefix(std::min(line.size() + 1, sass.size()));
    const char* copied = line.data();
    if (const auto place = trace::parse_sass_location(line)) {
      for (const std::string_view file : {place->file, place->inlined_at}) {
        if (file.empty()) continue;
        out.append(copied, file.data());
        copied = trace::file_name(file).data();
      }
    }
    out.append(copied, line.data() + line.size());
    out += '\n';
  }
  return out;
}

}  // namespace warpwalk::recording
