#include "app/verbs/export.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "app/lessons/lesson.h"
#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/load.h"
#include "app/verbs/common/terminal.h"
#include "core/base/base64.h"
#include "core/platform/read_file.h"
#include "core/story/elements/moment.h"
#include "core/story/elements/naming.h"
#include "core/story/scene_list.h"
#include "core/story/stage/controls.h"

namespace warpwalk::verbs {
namespace {

// The parts of warpwalk.html, by the marks that app/window/browser/pack.py leaves in it.
constexpr std::string_view walk_mark = "<!--WALK-->", program_begin = "<!--PROGRAM-->", program_end = "<!--/PROGRAM-->";
// The program of pages that were written with --apart.
constexpr std::string_view apart_name = "warpwalk-page.js";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~:,/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// A file that the page brings along, under the name by which the page finds it.
struct Enclosed {
  std::string name;
  std::filesystem::path file;
};

// A lesson that is given to a class: without what only the lecturer sees.
bool for_class(const ExportOptions& options) { return !options.notes && lessons::is_lesson(options.file); }

// The text of a lesson without the lecturer's notes. One without any is the same to the byte.
std::string without_notes(const std::string& text) {
  rapidjson::Document lesson;
  lesson.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());  // as the lesson is read
  if (lesson.HasParseError() || !lesson.IsObject() || !lesson.HasMember("steps") || !lesson["steps"].IsArray())
    return text;
  bool any = false;
  for (rapidjson::Value& step : lesson["steps"].GetArray())
    while (step.IsObject() && step.RemoveMember("note")) any = true;  // a member may be there twice
  if (!any) return text;
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  lesson.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

base::Result<std::string> link_to(const ExportOptions& options, std::string_view name) {
  document::View view;
  if (const auto good = apply_view_options(options, view); !good) return base::Error{good.error()};
  if (const auto good = check_view_beat(view); !good) return base::Error{good.error()};
  std::string link = "file=" + escaped(name);
  const auto add = [&](std::string_view option, const std::string& value) {
    if (!value.empty()) link += fmt::format("&{}={}", option, escaped(value));
  };
  add("scene", options.scene);
  add("at", options.at);
  add("follow", options.follow);
  add("names", options.names);
  for (const std::string& setting : options.set) add("set", setting);
  if (options.present) link += "&present=1";
  if (for_class(options)) link += "&class=1";
  return link;
}

// The trace or the lesson, and the pictures of a lesson and its traces that do not come with the program.
base::Result<std::vector<Enclosed>> enclosed(const std::filesystem::path& file, const std::filesystem::path& walks) {
  std::vector<Enclosed> files = {{file.filename().string(), file}};
  if (!lessons::is_lesson(file)) {
    const LoadedTrace loaded = load(file, 0);
    if (loaded.result.error) return base::Error{*loaded.result.error};
    for (const std::string& line : lost_data(file, loaded.result)) print_message(line);
    return files;
  }
  const auto lesson = lessons::load_lesson(file, walks);
  if (!lesson) return base::Error{lesson.error()};
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  std::set<std::filesystem::path> known;
  for (const lessons::LessonStep& step : lesson->steps) {
    std::vector<std::filesystem::path> step_files = {step.view.file};
    if (step.picture) step_files.push_back(step.picture->file);
    for (const std::filesystem::path& step_file : step_files) {
      const std::filesystem::path used = std::filesystem::absolute(step_file).lexically_normal();
      if (!known.insert(used).second || used.parent_path() == walks.lexically_normal()) continue;
      const std::string name = used.lexically_relative(folder).string();
      if (name.empty() || name.starts_with(".."))
        return base::Error{
            fmt::format("{}: the step's file {} is not below the lesson's folder; put it there and change "
                        "its name in the lesson",
                        file.string(), used.string())};
      files.push_back({name, used});
    }
  }
  return files;
}

// `for_class`: the first file is a lesson that goes without its notes.
base::Result<std::string> elements_of(const std::vector<Enclosed>& files, const std::string& link, bool for_class) {
  std::string elements;
  for (const Enclosed& one : files) {
    auto read = platform::read_text_file(one.file);
    if (!read) return base::Error{read.error()};
    if (for_class && &one == &files.front()) read->text = without_notes(read->text);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(read->text.data());
    elements +=
        fmt::format(R"(<script type="application/octet-stream" class="warpwalk-walk" data-name="{}" data-link="{}">)",
                    escaped(one.name), &one == &files.front() ? link : "");
    elements += base::to_base64({bytes, read->text.size()}) + "</script>\n";
  }
  return elements;
}

// The program's elements as one script, which a page can refer to.
std::string script_of(std::string_view elements) {
  constexpr std::string_view data = R"(<script type="application/octet-stream" id=")", code = "<script>",
                             end = "</script>";
  std::string script;
  while (!elements.empty()) {
    const std::size_t close = std::min(elements.find(end), elements.size());
    std::string_view element = elements.substr(0, close);
    elements.remove_prefix(std::min(close + end.size(), elements.size()));
    if (const std::size_t at = element.find(data); at != std::string_view::npos) {
      element.remove_prefix(at + data.size());
      const std::size_t quote = element.find('"');
      script += fmt::format(
          "{{\n  const part = document.createElement('script');\n  part.type = 'application/octet-stream';\n"
          "  part.id = '{}';\n  part.textContent = '{}';\n  document.head.append(part);\n}}\n",
          element.substr(0, quote), element.substr(element.find('>', quote) + 1));
    } else if (const std::size_t begin = element.find(code); begin != std::string_view::npos) {
      script += element.substr(begin + code.size());
      script += '\n';
    }
  }
  return script;
}

}  // namespace

int export_page(const ExportOptions& options) {
  if (options.out.extension() != ".html")
    return refuse(fmt::format("-o {}: a page is a file that ends in .html", options.out.string()));
  const auto assets = find_assets();
  if (!assets) return refuse("the assets (narration, walks) were not found; set WARPWALK_ASSETS to their folder");
  const auto link = link_to(options, options.file.filename().string());
  if (!link) return refuse(link.error());
  const std::filesystem::path page_file = options.page.empty() ? find_page() : options.page;
  if (page_file.empty())
    return refuse("export: warpwalk.html was not found; build it with scripts/browser, or name it with --page FILE");
  const auto page = platform::read_text_file(page_file);
  if (!page) return refuse("--page " + page.error());
  std::string text = page->text;
  const std::size_t walk = text.find(walk_mark), begin = text.find(program_begin), end = text.find(program_end);
  if (walk == std::string::npos || begin == std::string::npos || end == std::string::npos || end < begin ||
      walk > begin)
    return refuse(
        fmt::format("--page {}: not a page of warpwalk; give build/browser/warpwalk.html", page_file.string()));
  if (const auto may = check_writable(options.out); !may) return refuse("-o " + may.error());
  const auto files = enclosed(options.file, *assets / "walks");
  if (!files) return refuse(files.error());
  const auto elements = elements_of(*files, *link, for_class(options));
  if (!elements) return refuse(elements.error());
  if (options.apart) {
    const std::string_view program = std::string_view(text).substr(begin, end - begin);
    const std::filesystem::path script = options.out.parent_path() / apart_name;
    if (const auto done = write_file(script, script_of(program)); !done) return refuse(done.error());
    text.replace(begin, end - begin, fmt::format("<script src=\"{}\"></script>\n", apart_name));
  }
  text.replace(walk, walk_mark.size(), *elements);
  if (const auto done = write_file(options.out, text); !done) return refuse(done.error());
  return 0;
}

Verb add_export(CLI::App& app) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const verb =
      app.add_subcommand("export", "Write a trace or a lesson with the program as one page, for any browser");
  verb->add_option("FILE", options->file, "a trace or a lesson")->required();
  verb->add_option("-o,--output", options->out, "the page: out.html")->required();
  add_view_options(*verb, *options);
  verb->add_flag("--present", options->present, "start presenting: only the stage, with large type");
  verb->add_flag("--notes", options->notes, "of a lesson: with its notes and the lecturer's window, not for the class");
  verb->add_flag("--apart", options->apart,
                 "write the program once as warpwalk-page.js beside the page; several pages can share it");
  verb->add_option("--page", options->page, "warpwalk.html, if it is not where scripts/browser writes it");
  return {verb, [options] { return export_page(*options); }};
}

}  // namespace warpwalk::verbs
