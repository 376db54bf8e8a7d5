#include "app/draw/svg.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "app/draw/image.h"
#include "core/base/base64.h"

namespace warpwalk::draw {
namespace {

// Formats a number with up to two decimals, without trailing zeros.
std::string number(float value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

bool sound(ImVec2 at) { return std::isfinite(at.x) && std::isfinite(at.y); }
bool sound(ImVec2 low, ImVec2 high) { return sound(low) && sound(high) && low.x < high.x && low.y < high.y; }
bool seen(ImU32 colour) { return (colour & IM_COL32_A_MASK) != 0; }

// `what` is fill or stroke.
std::string paint_of(std::string_view what, ImU32 colour) {
  const auto part = [&](int shift) { return colour >> shift & 255; };
  std::string text = fmt::format(R"({}="#{:02x}{:02x}{:02x}")", what, part(IM_COL32_R_SHIFT), part(IM_COL32_G_SHIFT),
                                 part(IM_COL32_B_SHIFT));
  if (const unsigned alpha = part(IM_COL32_A_SHIFT); alpha < 255)
    text += fmt::format(R"( {}-opacity="{}")", what, fmt::format("{:.3f}", static_cast<double>(alpha) / 255));
  return text;
}

std::string stroke_of(ImU32 colour, float thickness) {
  return fmt::format(R"(fill="none" {} stroke-width="{}")", paint_of("stroke", colour), number(thickness));
}

std::string place(char command, ImVec2 at) { return fmt::format("{}{} {}", command, number(at.x), number(at.y)); }

std::string line_through(std::span<const ImVec2> points) {
  std::string commands;
  for (std::size_t i = 0; i < points.size(); ++i) commands += place(i == 0 ? 'M' : 'L', points[i]);
  return commands;
}

bool same(const Radii& radii) {
  return std::all_of(radii.begin(), radii.end(), [&](float r) { return r == radii[0]; });
}

// Path of a rounded box, clockwise from the end of the upper left corner.
std::string with_decimals(ImVec2 low, ImVec2 high, const Radii& r) {
  std::string commands = place('M', {low.x + r[0], low.y});
  const auto corner = [&](float radius, ImVec2 start, ImVec2 end) {
    commands += place('L', start);
    if (radius > 0)
      commands += fmt::format("A{} {} 0 0 1 {} {}", number(radius), number(radius), number(end.x), number(end.y));
  };
  corner(r[1], {high.x - r[1], low.y}, {high.x, low.y + r[1]});
  corner(r[2], {high.x, high.y - r[2]}, {high.x - r[2], high.y});
  corner(r[3], {low.x + r[3], high.y}, {low.x, high.y - r[3]});
  corner(r[0], {low.x, low.y + r[0]}, {low.x + r[0], low.y});
  return commands + "Z";
}

// Returns the length in bytes of the first character; 0 if it is not valid UTF-8 or XML forbids it.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
  if (length == 0) return 0;
  unsigned code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool long_form = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool forbidden = (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff || code > 0x10ffff;
  return long_form || forbidden ? 0 : length;
}

std::string rectangle(ImVec2 low, ImVec2 high, float radius) {
  std::string text = fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", number(low.x), number(low.y),
                                 number(high.x - low.x), number(high.y - low.y));
  if (radius > 0) text += fmt::format(R"( rx="{}")", number(radius));
  return text;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character(text);
    const std::string_view whole = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(whole.size());
    if (length == 0)
      out += "\uFFFD";
    else if (whole == "&")
      out += "&amp;";
    else if (whole == "<")
      out += "&lt;";
    else if (whole == ">")
      out += "&gt;";
    else if (whole == "\"")
      out += "&quot;";
    else if (whole[0] == '\n' || whole[0] == '\t' || static_cast<unsigned char>(whole[0]) >= 0x20)
      out += whole;
  }
  return out;
}

SvgPage::SvgPage(int width, int height, ImU32 ground, std::string_view title, std::string_view description) {
  out_ = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" xml:space="preserve")"
      R"( style="font-variant-ligatures:none"><title>{2}</title><desc>{3}</desc>)"
      "\n",
      width, height, xml_text(title), xml_text(description));
  box({0, 0}, {static_cast<float>(width), static_cast<float>(height)}, ground | IM_COL32_A_MASK, {});
}

void SvgPage::path(std::string_view commands, std::string_view paint) {
  fmt::format_to(std::back_inserter(out_), "<path d=\"{}\" {}/>\n", commands, paint);
}

void SvgPage::box(ImVec2 low, ImVec2 high, ImU32 colour, const Radii& radii) {
  if (!sound(low, high) || !seen(colour)) return;
  if (!same(radii)) return path(with_decimals(low, high, radii), paint_of("fill", colour));
  fmt::format_to(std::back_inserter(out_), "<rect {} {}/>\n", rectangle(low, high, radii[0]), paint_of("fill", colour));
}

void SvgPage::frame(ImVec2 low, ImVec2 high, ImU32 colour, float thickness, const Radii& radii) {
  if (!sound(low, high) || !seen(colour)) return;
  const float half = thickness / 2;
  const ImVec2 from = {low.x + half, low.y + half}, to = {high.x - half, high.y - half};
  if (!sound(from, to)) return box(low, high, colour, radii);  // the frame fills the whole box
  Radii middle{};
  for (std::size_t i = 0; i < middle.size(); ++i) middle[i] = std::max(radii[i] - half, 0.0f);
  if (!same(radii)) return path(with_decimals(from, to, middle), stroke_of(colour, thickness));
  fmt::format_to(std::back_inserter(out_), "<rect {} {}/>\n", rectangle(from, to, middle[0]),
                 stroke_of(colour, thickness));
}

void SvgPage::disc(ImVec2 centre, float radius, ImU32 colour) {
  if (!sound(centre) || !(radius > 0) || !std::isfinite(radius) || !seen(colour)) return;
  fmt::format_to(std::back_inserter(out_), "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", number(centre.x),
                 number(centre.y), number(radius), paint_of("fill", colour));
}

void SvgPage::polygon(std::span<const ImVec2> corners, ImU32 colour) {
  if (!std::all_of(corners.begin(), corners.end(), [](ImVec2 at) { return sound(at); }) || !seen(colour)) return;
  path(line_through(corners) + "Z", paint_of("fill", colour));
}

void SvgPage::stroke(std::span<const ImVec2> points, ImU32 colour, float thickness) {
  if (!std::all_of(points.begin(), points.end(), [](ImVec2 at) { return sound(at); }) || !seen(colour)) return;
  path(line_through(points), stroke_of(colour, thickness));
}

void SvgPage::dashes(ImVec2 from, ImVec2 to, ImU32 colour, float thickness, float dash) {
  if (!sound(from) || !sound(to) || !seen(colour)) return;
  path(line_through(std::array{from, to}),
       fmt::format(R"({} stroke-dasharray="{}")", stroke_of(colour, thickness), number(dash)));
}

void SvgPage::hatch(std::span<const std::array<ImVec2, 2>> lines, ImU32 colour, float thickness) {
  std::string commands;
  for (const auto& line : lines)
    if (sound(line[0]) && sound(line[1])) commands += line_through(line);
  if (!commands.empty() && seen(colour)) path(commands, stroke_of(colour, thickness));
}

void SvgPage::text(ImVec2 at, float width, int align, const Typeface& face, ImU32 colour, std::string_view words) {
  if (!sound(at) || !(width > 0) || words.empty() || !seen(colour)) return;
  static constexpr std::array<std::string_view, 3> anchors = {"start", "middle", "end"};
  const auto which = static_cast<std::size_t>(std::clamp(align, 0, 2));
  const float x = at.x + width * static_cast<float>(which) / 2;
  const bool mono = face.family.find("Mono") != std::string::npos;
  fmt::format_to(std::back_inserter(out_),
                 R"(<text x="{}" y="{}" text-anchor="{}" textLength="{}" lengthAdjust="spacingAndGlyphs" )"
                 R"(font-family="{}, {}" font-size="{}" font-weight="{}")",
                 number(x), number(at.y), anchors[which], number(width), xml_text(face.family),
                 mono ? "DejaVu Sans Mono, monospace" : "DejaVu Sans, sans-serif", number(face.em), face.weight);
  if (face.tracking != 0) fmt::format_to(std::back_inserter(out_), R"( letter-spacing="{}")", number(face.tracking));
  fmt::format_to(std::back_inserter(out_), " {}>{}</text>\n", paint_of("fill", colour), xml_text(words));
}

void SvgPage::photo(ImVec2 low, ImVec2 high, const story::Pixels& pixels) {
  if (!sound(low, high)) return;
  const auto png = png_of({pixels.width, pixels.height, pixels.values});
  if (!png) return;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(png->data());
  fmt::format_to(std::back_inserter(out_),
                 "<image xmlns:xlink=\"http://www.w3.org/1999/xlink\" {} preserveAspectRatio=\"none\" "
                 "xlink:href=\"data:image/png;base64,{}\"/>\n",
                 rectangle(low, high, 0), base::to_base64({bytes, png->size()}));
}

void SvgPage::clip(ImVec2 low, ImVec2 high) {
  ++clips_;
  ++open_;
  const bool any = sound(low, high);  // an empty clip hides everything
  fmt::format_to(std::back_inserter(out_), "<clipPath id=\"c{}\"><rect {}/></clipPath><g clip-path=\"url(#c{})\">\n",
                 clips_, rectangle(any ? low : ImVec2(0, 0), any ? high : ImVec2(0, 0), 0), clips_);
}

void SvgPage::unclip() {
  if (open_ == 0) return;
  --open_;
  out_ += "</g>\n";
}

std::string SvgPage::finish() {
  while (open_ > 0) unclip();
  return std::move(out_) + "</svg>\n";
}

}  // namespace warpwalk::draw
