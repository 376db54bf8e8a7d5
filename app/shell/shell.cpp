#include "app/shell/shell.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/panels/facts.h"
#include "app/panels/help.h"
#include "app/panels/route.h"
#include "app/panels/stage_view.h"
#include "core/story/figure.h"
#include "core/trace/link.h"

namespace warpwalk::shell {
namespace {

using draw::Box;
using draw::Style;

constexpr double motion_seconds = 0.8;  // of one beat
constexpr double pause_seconds = 2.5;   // between beats while playing
constexpr std::array<std::string_view, 3> theme_names = {"dark", "light", "high-contrast"};

}  // namespace

const draw::Theme& Shell::theme() const {
  return theme_ == 0 ? draw::dark_theme() : theme_ == 1 ? draw::light_theme() : draw::high_contrast_theme();
}

void Shell::set_theme(std::string_view name) {
  const auto found = std::find(theme_names.begin(), theme_names.end(), name);
  if (found != theme_names.end()) theme_ = static_cast<std::size_t>(found - theme_names.begin());
}

void Shell::open(const View& view) {
  wanted_ = view;
  note_.clear();
  loader_.open(view.file);
}

void Shell::take_document(std::shared_ptr<const Document> document) {
  const View view = *wanted_;
  wanted_.reset();
  if (document->read.error) {
    note_ = *document->read.error;  // what was open stays open
    return;
  }
  const auto [walk, error] = view.follow.empty()
                                 ? std::pair{story::default_walk(document->trace()), std::optional<std::string>{}}
                                 : story::follow(document->trace(), view.follow);
  document_ = std::move(document);
  outline_ = {};
  strip_ = {};
  walk_ = error ? story::default_walk(document_->trace()) : walk;
  view_ = view;
  if (error) {
    note_ = *error;
    view_.follow.clear();
  }
  for (const trace::Problem& problem : document_->read.problems.rows())
    if (note_.empty() && trace::loses_data(problem.kind)) note_ = problem.message;
  // Said once, to one who has just come: the three keys that lead to all others.
  if (note_.empty() && !greeted_) note_ = "→ next   ← back   ? all keys";
  greeted_ = true;
}

void Shell::go(const View& view) {
  view_ = view;
  if (transport_.reduced_motion) view_.moment.phase = 1;
  waited_ = 0;
}

void Shell::follow(const std::string& what) {
  auto [walk, error] = story::follow(document_->trace(), what);
  if (error) {
    note_ = *error;
    return;
  }
  walk_ = std::move(walk);
  View view = view_;
  view.follow = what;
  view.moment = {story::Moment::Kind::beat, 1, 1};
  go(view);
}

story::SceneInput Shell::input_at(const story::Moment& moment) const {
  return {document_->trace(), walk_, narration_, hardware_, moment, view_.controls, view_.naming};
}

void Shell::touch(const scenes::Touch& touched) {
  for (const auto& [name, value] : touched.set) {
    if (value)
      view_.controls.set(name, *value);
    else
      view_.controls.clear(name);
  }
  const trace::Trace& trace = document_->trace();
  if (touched.follow != story::no_slice) {
    const trace::SliceKind kind = trace.slices.kind[touched.follow];
    if (kind == trace::SliceKind::op) follow(fmt::format("op:{}", story::number_of(trace, touched.follow)));
    if (kind == trace::SliceKind::kernel) follow(fmt::format("kernel:{}", story::number_of(trace, touched.follow)));
  }
  if (touched.time) {
    View view = view_;
    view.scene = "boardroom";
    view.moment = {story::Moment::Kind::time, *touched.time, 1};
    go(view);
  }
}

bool Shell::moving() const {
  return loader_.busy() || transport_.playing ||
         (document_ && view_.moment.kind == story::Moment::Kind::beat && view_.moment.phase < 1);
}

void Shell::advance(double seconds) {
  if (!document_ || view_.moment.kind != story::Moment::Kind::beat) return;
  if (view_.moment.phase < 1) {
    view_.moment.phase =
        transport_.reduced_motion ? 1 : std::min(1.0, view_.moment.phase + seconds * transport_.speed / motion_seconds);
    return;
  }
  if (!transport_.playing) return;
  waited_ += seconds * transport_.speed;
  if (waited_ < pause_seconds) return;
  const View next = stepped(view_, 1, document_->trace(), walk_);
  if (next.scene == view_.scene && next.moment.value == view_.moment.value)
    transport_.playing = false;
  else
    go(next);
}

void Shell::act(Action action) {
  if (action == Action::help) help_ = !help_;
  if (action == Action::theme) theme_ = (theme_ + 1) % theme_names.size();
  if (action == Action::close) {
    if (help_)
      help_ = false;
    else if (blank_)
      blank_ = false;
    else
      presenting_ = false;
    if (loader_.busy()) {
      loader_.cancel();
      wanted_.reset();
      note_ = "reading was cancelled";
    }
  }
  if (!document_) return;
  const trace::Trace& trace = document_->trace();
  const std::int64_t length = trace.end_ns - trace.begin_ns;
  const double middle = (strip_.from + strip_.to) / 2;
  switch (action) {
    case Action::next: go(stepped(view_, 1, trace, walk_)); break;
    case Action::back: go(stepped(view_, -1, trace, walk_)); break;
    case Action::next_scene: go(scene_stepped(view_, 1, trace, walk_)); break;
    case Action::previous_scene: go(scene_stepped(view_, -1, trace, walk_)); break;
    case Action::restart: go(stepped(view_, -1000000, trace, walk_)); break;
    case Action::last: go(stepped(view_, 1000000, trace, walk_)); break;
    case Action::play:
      transport_.playing = !transport_.playing;
      waited_ = pause_seconds;
      break;
    case Action::faster: transport_.speed = std::min(4.0, transport_.speed * 2); break;
    case Action::slower: transport_.speed = std::max(0.25, transport_.speed / 2); break;
    case Action::reduced_motion: transport_.reduced_motion = !transport_.reduced_motion; break;
    case Action::present:
      presenting_ = !presenting_;
      blank_ = false;
      break;
    case Action::blank: blank_ = presenting_ && !blank_; break;
    case Action::search:
      outline_.typing = true;
      presenting_ = false;
      break;
    case Action::longest_kernel:
      if (!document_->outline.kernels.empty()) {
        story::SliceId longest = story::no_slice;
        for (const story::KernelGroup& group : document_->outline.kernels)
          if (longest == story::no_slice || trace.slices.duration[group.longest] > trace.slices.duration[longest])
            longest = group.longest;
        follow(fmt::format("kernel:{}", story::number_of(trace, longest)));
      }
      break;
    case Action::zoom_in: panels::zoom(strip_, 0.5, middle, length); break;
    case Action::zoom_out: panels::zoom(strip_, 2, middle, length); break;
    case Action::pan_left: panels::pan(strip_, -0.25, length); break;
    case Action::pan_right: panels::pan(strip_, 0.25, length); break;
    case Action::fit: strip_ = {}; break;
    case Action::copy_link:
      host_.copy(command_for(view_));
      note_ = "copied: " + command_for(view_);
      break;
    case Action::save_picture: {
      const auto [file, error] = host_.save_picture(*stage_, theme(), view_);
      note_ = error.empty() ? "saved " + file : error;
      break;
    }
    default: break;
  }
}

void Shell::keys(const draw::Input& input) {
  for (const draw::KeyPress& press : input.keys) {
    if (outline_.typing) {
      panels::type(outline_, press);
      continue;  // letters are for the search field
    }
    const bool arrow = press.key == draw::Key::left || press.key == draw::Key::right || press.key == draw::Key::home ||
                       press.key == draw::Key::end;
    if (memory_.takes_arrows && arrow) continue;  // for the slider that has the focus
    act(action_of(press));
  }
}

std::optional<std::int64_t> Shell::moment_in_trace() const {
  if (view_.moment.kind == story::Moment::Kind::time) return view_.moment.value;
  const story::Scene* scene = story::find_scene(view_.scene);
  const std::vector<story::Beat> beats = scene->beats(document_->trace(), walk_);
  return beats[static_cast<std::size_t>(
                   std::clamp<std::int64_t>(view_.moment.value, 1, static_cast<std::int64_t>(beats.size()))) -
               1]
      .anchor;
}

void Shell::paint_waiting(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& t = theme();
  const float y = canvas.height() / 2 - 60;
  const Box row = {40, y, canvas.width() - 80, 40};
  if (loader_.busy()) {
    const trace::ReadProgress progress = loader_.progress();
    const double share = progress.bytes_total == 0
                             ? 0
                             : static_cast<double>(progress.bytes_read) / static_cast<double>(progress.bytes_total);
    canvas.text_in(row, Style::sentence, t.text, fmt::format("Reading {}", loader_.file().filename().string()),
                   draw::Align::centre);
    const Box bar = {canvas.width() / 2 - 200, y + 52, 400, 8};
    canvas.fill(bar, t.line, 4);
    canvas.fill({bar.x, bar.y, bar.width * static_cast<float>(share), bar.height}, t.done, 4);
    canvas.text_in({40, y + 68, canvas.width() - 80, 30}, Style::label, t.second,
                   fmt::format("{} events, {:.0f} %. Esc cancels.",
                               story::with_thousands(static_cast<std::int64_t>(progress.events)), 100 * share),
                   draw::Align::centre);
    return;
  }
  canvas.text_in(row, Style::sentence, t.text, "Drop a trace on this window", draw::Align::centre);
  canvas.text_in({40, y + 40, canvas.width() - 80, 30}, Style::label, t.second,
                 note_.empty() ? std::string("a file of torch.profiler or of warpwalk, .json or .json.gz") : note_,
                 draw::Align::centre);
}

void Shell::paint_presenting(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  if (blank_) return;
  constexpr float margin = 56;
  const scenes::Touch touched =
      panels::stage_view(canvas, &ui, {margin, 40, canvas.width() - 2 * margin, canvas.height() - 72}, *stage_);
  touch(touched);
}

void Shell::paint_walk(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const trace::Trace& trace = document_->trace();
  const float width = canvas.width(), height = canvas.height();
  constexpr float top = 56, transport_height = 56, margin = 32;
  const float facts_width = std::clamp(width * 0.2f, 264.0f, 340.0f);
  const float outline_width = std::clamp(width * 0.18f, 220.0f, 320.0f);
  const float strip_high = panels::strip_height(document_->lanes);
  const float bottom = transport_height + strip_high;
  const float middle = height - top - bottom;

  const int stop = panels::route(canvas, &ui, {0, 0, width, top}, stage_->route);
  const panels::OutlineChoice chosen =
      panels::outline(ui, {0, top, outline_width, middle}, trace, document_->outline, walk_, outline_);
  panels::facts(canvas, &ui, {width - facts_width, top, facts_width, middle}, *stage_);
  canvas.clip({outline_width, top, width - facts_width - outline_width, middle});
  const scenes::Touch touched = panels::stage_view(
      canvas, &ui,
      {outline_width + margin, top + 24, width - facts_width - outline_width - 2 * margin, middle - 24 - 12}, *stage_);
  canvas.unclip();
  std::string note = note_;
  if (loader_.busy()) note = fmt::format("reading {} …", loader_.file().filename().string());
  const panels::TransportAnswer answer =
      panels::transport(ui, {0, height - bottom, width, transport_height}, *stage_, transport_, note);
  const panels::StripChoice went = panels::strip(ui, {0, height - strip_high, width, strip_high}, trace,
                                                 document_->lanes, walk_, moment_in_trace(), strip_);

  // Answers come after everything is drawn, so that one frame shows one state.
  if (chosen.op != story::no_slice) follow(fmt::format("op:{}", story::number_of(trace, chosen.op)));
  if (chosen.kernel != story::no_slice) follow(fmt::format("kernel:{}", story::number_of(trace, chosen.kernel)));
  if (went.slice != story::no_slice) touch(scenes::Touch{{}, went.slice, {}});
  touch(touched);
  if (went.time) {
    View view = view_;
    view.moment = {story::Moment::Kind::time, *went.time, 1};
    go(view);
  }
  if (stop >= 0) {
    // The beat, of any scene, whose stop this is: the next one from here on, so that repeated choices go round.
    const std::vector<Place> places = places_of(trace, walk_);
    const std::size_t from = place_index(places, view_, trace, walk_);
    for (std::size_t i = 1; i <= places.size(); ++i) {
      const Place& place = places[(from + i) % places.size()];
      const auto [stage, error] = story::stage_at(*place.scene, input_at({story::Moment::Kind::beat, place.beat, 1}));
      if (error || !stage.route[static_cast<std::size_t>(stop)].here) continue;
      View view = view_;
      view.scene = place.scene->name;
      view.moment = {story::Moment::Kind::beat, place.beat, 0};
      go(view);
      break;
    }
  }
  switch (answer.choice) {
    case panels::TransportChoice::none: break;
    case panels::TransportChoice::back: act(Action::back); break;
    case panels::TransportChoice::play: act(Action::play); break;
    case panels::TransportChoice::next: act(Action::next); break;
    case panels::TransportChoice::slower: act(Action::slower); break;
    case panels::TransportChoice::faster: act(Action::faster); break;
    case panels::TransportChoice::motion: act(Action::reduced_motion); break;
    case panels::TransportChoice::theme: act(Action::theme); break;
    case panels::TransportChoice::present: act(Action::present); break;
    case panels::TransportChoice::help: act(Action::help); break;
    case panels::TransportChoice::beat: {
      View view = view_;
      view.moment = {story::Moment::Kind::beat, answer.beat, answer.beat > stage_->beat ? 0.0 : 1.0};
      go(view);
    }
  }
}

void Shell::frame(draw::Canvas& canvas, const draw::Input& input) {
  if (!input.dropped.empty()) {
    View view;
    view.file = input.dropped.front();
    open(view);
  }
  if (std::shared_ptr<const Document> ready = loader_.poll()) take_document(std::move(ready));
  keys(input);
  advance(input.seconds);

  draw::Ui ui(canvas, input, memory_);
  if (document_) {
    const story::Scene* scene = story::find_scene(view_.scene);
    if (scene == nullptr) scene = &story::scenes().front();
    auto [stage, error] = story::stage_at(*scene, input_at(view_.moment));
    if (error) {  // a link to a beat that this trace has not: the last one it has
      note_ = *error;
      view_.moment = {story::Moment::Kind::beat,
                      static_cast<std::int64_t>(scene->beats(document_->trace(), walk_).size()), 1};
      stage = story::stage_at(*scene, input_at(view_.moment)).first;
    }
    stage_ = std::move(stage);
    if (presenting_)
      paint_presenting(ui);
    else
      paint_walk(ui);
  } else {
    paint_waiting(ui);
  }
  if (help_) {
    std::vector<std::pair<std::string_view, std::string_view>> rows;
    for (const Shortcut& shortcut : shortcuts()) rows.emplace_back(shortcut.keys, shortcut.what);
    panels::help(ui, rows);
  }
  ui.finish();
}

}  // namespace warpwalk::shell
