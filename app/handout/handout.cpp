#include "app/handout/handout.h"

#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "app/draw/svg.h"
#include "core/base/base64.h"

namespace warpwalk::handout {
namespace {

using draw::xml_text;

// A4 in landscape; every page of the file is one page of paper.
constexpr std::string_view style = R"(@page { size: A4 landscape; margin: 12mm; }
body { margin: 0; font: 10.5pt/1.3 Inter, "Segoe UI", Roboto, sans-serif; color: #1b1f24; background: #fff; }
section { break-after: page; max-width: 273mm; margin: 0 auto; padding: 4mm 0; }
section:last-child { break-after: auto; }
header, footer { display: flex; justify-content: space-between; color: #5b6570; font-size: 9pt; }
h1 { font-size: 16pt; margin: 1mm 0; }
p { margin: 0 0 2mm; white-space: pre-line; }
img { display: block; width: 100%; max-height: 106mm; object-fit: contain; margin: 2mm 0; break-inside: avoid; }
dl { columns: 3; column-gap: 8mm; margin: 1mm 0; font-size: 8pt; line-height: 1.25; }
dl div { break-inside: avoid; display: flex; gap: 3mm; }
dt { flex: 1; color: #5b6570; }
dd { margin: 0; text-align: right; }
small { color: #5b6570; }
ol { margin: 0 0 2mm; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 2mm 8mm; }
ol li::before { content: "\2610\00a0"; }
ol li.right::before { content: "\2611\00a0"; }
aside { border-left: 0.8mm solid #c5ccd3; padding-left: 3mm; margin-top: 2mm; white-space: pre-line; }
/* A page with many words gets a smaller picture, so that each section stays on its sheet. */
@media print {
  section { box-sizing: border-box; height: 185mm; display: flex; flex-direction: column; overflow: hidden; padding: 2mm 0; }
  section > * { flex: none; }
  section > img { flex: 0 1 106mm; min-height: 30mm; }
  section > footer { margin-top: auto; }
}
@media screen { section { border-bottom: 1px solid #c5ccd3; padding: 8mm 4mm; } }
)";

std::string picture(const Page& page) {
  if (page.png.empty()) return {};
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(page.png.data()), page.png.size());
  return fmt::format("<img alt=\"{}\" src=\"data:image/png;base64,{}\"/>\n", xml_text(page.stage.title),
                     base::to_base64(bytes));
}

std::string question(const story::Question& asked) {
  std::string out = fmt::format("<p><strong>{}</strong></p>\n<ol>\n", xml_text(asked.text));
  for (std::size_t i = 0; i < asked.options.size(); ++i)
    out += fmt::format("<li{}>{}</li>\n", asked.right == i ? " class=\"right\"" : "", xml_text(asked.options[i]));
  out += "</ol>\n";
  if (!asked.why.empty()) out += fmt::format("<p>{}</p>\n", xml_text(asked.why));
  return out;
}

std::string facts(const story::Stage& stage) {
  if (stage.facts.empty()) return {};
  std::string out = "<dl>\n";
  for (const story::Fact& fact : stage.facts)
    out += fmt::format("<div><dt>{}</dt><dd>{} <small>{}</small></dd></div>\n", xml_text(fact.label),
                       xml_text(fact.figure.text()), xml_text(stage.word_of(fact.figure.origin())));
  return out + "</dl>\n";
}

}  // namespace

std::string html(std::string_view title, std::string_view language, const std::vector<Page>& pages,
                 const story::Narration& words) {
  const base::WithNumberMarks numbers(words::number_marks(words));
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>{}</title>\n<style>\n{}</style>\n"
      "</head>\n<body>\n",
      xml_text(language), xml_text(title), style);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const Page& page = pages[i];
    const story::Stage& stage = page.stage;
    out += fmt::format("<section>\n<header><span>{}</span><span>{}, {}</span></header>\n", xml_text(title),
                       xml_text(stage.scene_label), xml_text(stage.place));
    if (page.answers > 0)
      out += fmt::format("<p><strong>{}</strong></p>\n",
                         xml_text(words.text("handout", "answers", {{"n", fmt::to_string(page.answers)}})));
    // While a question is asked, its text is the title.
    out += fmt::format("<h1>{}</h1>\n<p>{}</p>\n", xml_text(stage.title), xml_text(stage.sentence));
    if (!page.text.empty()) out += fmt::format("<p>{}</p>\n", xml_text(page.text));
    out += picture(page);
    if (stage.question) out += question(*stage.question);
    out += facts(stage);
    if (!page.note.empty())
      out += fmt::format("<aside><strong>{}</strong> {}</aside>\n", xml_text(words.text("handout", "note")),
                         xml_text(page.note));
    out += fmt::format(
        "<footer><span>{}</span><span>{}</span></footer>\n</section>\n", xml_text(page.source),
        xml_text(words.text("handout", "page", {{"n", fmt::to_string(i + 1)}, {"all", fmt::to_string(pages.size())}})));
  }
  return out + "</body>\n</html>\n";
}

}  // namespace warpwalk::handout
