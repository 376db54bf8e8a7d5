#include "app/shell/actions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/document/recorded.h"
#include "app/shell/session/lesson_place.h"
#include "app/shell/session/own_trace.h"
#include "app/shell/session/rank_steps.h"
#include "app/shell/saving.h"
#include "core/story/scene_list.h"
#include "core/trace/problem.h"

namespace warpwalk::shell {
namespace {

using pages::Action;
using pages::LessonAside;

constexpr std::array<std::string_view, 3> theme_names = {"dark", "light", "high-contrast"};
constexpr std::int64_t all_the_way = 1000000;
constexpr double long_rest = 2.5;  // seconds; Space goes on at once

story::SliceId longest_kernel(const document::Document& document) {
  const auto& duration = document.trace().slices.duration;
  story::SliceId longest = story::no_slice;
  for (const analysis::KernelGroup& group : document.outline.kernels)
    if (longest == story::no_slice || duration[group.longest] > duration[longest]) longest = group.longest;
  return longest;
}

void next_theme(Parts& parts) {
  const auto at = std::ranges::find(theme_names, theme_of(parts.settings).name);
  parts.settings.theme = theme_names[static_cast<std::size_t>(at - theme_names.begin() + 1) % theme_names.size()];
}

void change_route(Parts& parts) {
  bool& first = parts.session.opened().view.first_route;
  first = !first;
  parts.settings.first_route = first;
  parts.messages.confirm(first ? "route.first" : "route.all");
}

// Walks and own traces have a setting each.
void set_all_panels(Parts& parts, bool shown) {
  (parts.opened().own ? parts.settings.own_panels : parts.settings.panels) = shown;
}

// As steps went before the person left the tour for a scene, which has all its beats then.
bool on_first_route(const Parts& parts) {
  const View* const step = parts.navigation.way_back().step(parts.opened());
  return step != nullptr ? step->first_route : parts.opened().view.first_route;
}

void next_naming(Parts& parts) {
  story::Naming& naming = parts.session.opened().view.naming;
  naming = naming == story::Naming::both       ? story::Naming::hardware
           : naming == story::Naming::hardware ? story::Naming::company
                                               : story::Naming::both;
  if (parts.opened().own)
    parts.settings.own_naming = naming;
  else
    parts.settings.naming = naming;
  parts.messages.confirm("names",
                         {{"names", parts.words.text("note", fmt::format("names.{}", story::name_of(naming)))}});
}

// Walks and own traces have a setting each.
void change_questions(Parts& parts) {
  pages::Opened& opened = parts.session.opened();
  bool& asking = opened.own ? parts.settings.own_questions : parts.settings.questions;
  asking = !asking;
  opened.predictions.asking = asking;
  parts.messages.confirm(asking ? "questions.on" : "questions.off");
}

// The question is the message that is shown; it disappears with the next step.
bool asks_to_leave(const Parts& parts) {
  return parts.opened().lesson && parts.messages.note().text == parts.words.text("note", "leave_lesson");
}

void change_speed(Parts& parts, double factor) {
  double& speed = parts.session.transport().speed;
  speed = std::clamp(speed * factor, 0.25, 4.0);
  parts.settings.speed = speed;
}

}  // namespace

// Esc closes the page; then it dismisses a message, cancels work, and at last ends the lesson.
void Actions::close() {
  Session& session = parts_.session;
  Presentation& presentation = parts_.presentation;
  pages::Messages& messages = parts_.messages;
  FramePanels& panels = parts_.panels;
  if (pages::Page* const page = pages_.shown()) {
    if (page->close()) pages_.go_back();
  } else if (!presentation.on() && asks_to_leave(parts_)) {
    close_lesson();
  } else if (session.reading() != nullptr) {
    session.stop_reading();
    session.opened().wanted.reset();
    messages.confirm("reading_cancelled");
  } else if (parts_.compared.reading() != nullptr) {
    parts_.compared.stop();
    messages.confirm("reading_cancelled");
  } else if (parts_.film.busy()) {
    parts_.film.cancel();
  } else if (!presentation.on() && messages.note().kind != panels::Note::Kind::hint) {
    messages.clear();
  } else if (presentation.steps().shown()) {
    presentation.steps().hide();
  } else if (presentation.pen().tool() != StagePen::Tool::none || presentation.pen().has_lines()) {
    presentation.pen().put_away();
  } else if (presentation.blank()) {
    presentation.set_blank(false);
  } else if (presentation.full_screen()) {
    presentation.set_full_screen(false);
  } else if (presentation.on()) {
    present(false);
  } else if (panels.memory.focus_shown) {
    panels.memory.focus.clear();
    panels.memory.focus_shown = false;
  } else if (!panels.outline.search.text.empty()) {
    panels.outline.search.text.clear();
  } else if (parts_.navigation.go_out(false)) {
    // it was entered from where the person is now
  } else if (session.opened().lesson) {
    close_lesson();
  } else if (pages_.take_back()) {
    // the page shows what was there before
  } else if (take_lesson_back()) {
    session.go_to_step(session.opened().lesson_step, false);
  } else if (session.opened().document) {
    parts_.navigation.go_out(true);
  }
}

void Actions::close_lesson() {
  if (!asks_to_leave(parts_)) return parts_.messages.confirm("leave_lesson");
  leave_lesson();
  parts_.messages.confirm("lesson_closed");
}

void Actions::act(Action action) {
  if (act_while_presenting(action) || pages_.act(action)) return;
  switch (action) {
    case Action::none: return;
    case Action::theme: next_theme(parts_); return;
    case Action::names: next_naming(parts_); return;
    case Action::reduced_motion: {
      bool& reduced = parts_.session.transport().reduced_motion;
      reduced = !reduced;
      parts_.settings.reduced_motion = reduced;
      return;
    }
    case Action::faster: change_speed(parts_, 2); return;
    case Action::slower: change_speed(parts_, 0.5); return;
    case Action::questions: change_questions(parts_); return;
    case Action::full_screen: parts_.presentation.set_full_screen(!parts_.presentation.full_screen()); return;
    case Action::close: close(); return;
    case Action::swap_screens: parts_.presentation.swap_screens(); return;
    default:
      if (parts_.opened().document) act_on_document(action);
  }
}

void Actions::act_on_document(Action action) {
  if (act_on_presentation(action)) return;
  Navigation& navigation = parts_.navigation;
  panels::StripState& strip = parts_.panels.strip;
  const trace::Trace& trace = parts_.opened().document->trace();
  const std::int64_t length = trace.end_ns - trace.begin_ns;
  const double middle = (strip.from + strip.to) / 2;
  switch (action) {
    case Action::next:
      // Nobody misses what a beat shows: the first step shows the answer.
      if (parts_.questions.asks() && !away_from_step(parts_.opened()))
        parts_.questions.commit();
      else
        navigation.step(1);
      break;
    case Action::back: navigation.step(-1); break;
    case Action::deeper:
      if (!navigation.go_deeper()) change_route(parts_);
      break;
    case Action::all_panels: set_all_panels(parts_, !all_panels(parts_)); break;
    case Action::next_scene: navigation.step_scene(1); break;
    case Action::previous_scene: navigation.step_scene(-1); break;
    case Action::restart: navigation.step(-all_the_way); break;
    case Action::last:
      if (const auto place = parts_.opened().lesson_place; place && parts_.opened().lesson)
        parts_.session.go_to_step(*place, false);
      else
        navigation.step(all_the_way);
      break;
    case Action::play: {
      bool& playing = parts_.session.transport().playing;
      playing = !playing;
      if (playing && parts_.questions.asks())
        parts_.questions.commit();
      else
        parts_.session.rested() = long_rest;
      break;
    }
    case Action::search:
      set_all_panels(parts_, true);  // the search field is in the outline
      parts_.panels.outline.typing = true;
      parts_.panels.memory.focus.clear();  // a text field no longer takes the keys
      parts_.panels.memory.takes_text = false;
      break;
    case Action::longest_kernel: follow(longest_kernel(*parts_.opened().document)); break;
    case Action::recorded: follow_recorded(); break;
    case Action::walk: go_to_walk(); break;
    case Action::ranks: go_to_ranks(); break;
    case Action::zoom_in: panels::zoom(strip, 0.5, middle, length); break;
    case Action::zoom_out: panels::zoom(strip, 2, middle, length); break;
    case Action::pan_left: panels::pan(strip, -0.25, length); break;
    case Action::pan_right: panels::pan(strip, 0.25, length); break;
    case Action::fit: strip = {}; break;
    case Action::scrub_back: navigation.scrub(-1); break;
    case Action::scrub_on: navigation.scrub(1); break;
    case Action::stop_back: navigation.go_to_stop_cycle(false); break;
    case Action::stop_on: navigation.go_to_stop_cycle(true); break;
    case Action::who_wrote: asked_.ask(parts_); break;
    case Action::asked_before:
      if (!asked_.back(parts_)) parts_.messages.tell("nothing_asked");
      break;
    case Action::lab:
      if (navigation.go_to_lab_of_step())
        pages_.open_for(parts_.opened().view.scene);
      else if (const auto lab = navigation.lab_from_here())
        enter(*lab);
      else
        parts_.messages.tell("no_lab");
      break;
    case Action::reset_controls: {
      pages::Opened& opened = parts_.session.opened();
      opened.view.controls.clear_scene(opened.view.scene);
      opened.predictions.clear_scene(opened.view.scene);
      if (opened.lesson) opened.predictions.clear_scene("lesson");
      break;
    }
    case Action::save_walk: {
      const std::optional<View> view = save_walk(parts_);
      if (!view) break;
      open_view(*view);
      parts_.messages.confirm_saved(view->file);
      break;
    }
    case Action::copy_link: copy_link(parts_); break;
    case Action::save_picture: save_picture(parts_, PictureFormat::png); break;
    case Action::save_svg: save_picture(parts_, PictureFormat::svg); break;
    case Action::film:
      if (!parts_.film.busy() && saved(parts_)) parts_.film.start(parts_.opened().view, theme_of(parts_.settings));
      break;
    default: break;
  }
}

void Actions::open_view(const View& view, const document::LeftOpen& left) {
  const bool lesson = parts_.opened().lesson.has_value();
  if (parts_.session.open(view, left)) {
    parts_.panels.notes = true;  // the lesson's texts; N hides them
    update_kind();               // its first file may be open already
    pages::Opened& opened = parts_.session.opened();
    const std::size_t kept = parts_.settings.kept_step(opened.lesson->file);
    if (kept > 0 && kept < opened.lesson->steps.size()) opened.lesson_place = kept;
  } else if (lesson && !parts_.opened().lesson) {
    parts_.panels.notes = false;
  }
}

// The strip with the lesson's texts goes with it.
void Actions::leave_lesson() {
  std::optional<lessons::Lesson>& lesson = parts_.session.opened().lesson;
  if (!lesson) return;
  lesson.reset();
  parts_.session.opened().score.clear();
  parts_.panels.notes = false;
  update_kind();
}

bool Actions::take_lesson_back() {
  pages::Opened& opened = parts_.session.opened();
  std::optional<LessonAside> aside = std::exchange(opened.lesson_aside, {});
  if (!aside) return false;
  opened.lesson = std::move(aside->lesson);
  opened.lesson_step = aside->step;
  opened.score = std::move(aside->score);
  parts_.panels.notes = true;
  update_kind();
  return true;
}

void Actions::keep_lesson_step() {
  const pages::Opened& opened = parts_.opened();
  if (opened.lesson && !opened.lesson_place) parts_.settings.keep_step(opened.lesson->file, opened.lesson_step);
}

void Actions::go_to_walk() {
  const story::Scene* const scene = story::find_scene(parts_.opened().view.scene);
  if (scene != nullptr && scene->is_lab() && parts_.navigation.go_out(false)) return;
  enter(scene != nullptr && !scene->is_lab() ? document::overview_scene : story::scenes().front().name);
}

void Actions::follow_recorded() {
  const story::SliceId recorded = document::recorded_from(*parts_.opened().document, parts_.opened().walk.kernel);
  if (recorded == story::no_slice)
    parts_.messages.tell("none_recorded");
  else
    follow(recorded);
}

void Actions::update_kind() {
  pages::Opened& opened = parts_.session.opened();
  opened.own = opened.document && !opened.lesson && is_own_trace(*opened.document, parts_.host.assets);
  opened.predictions.asking = opened.own ? parts_.settings.own_questions : parts_.settings.questions;
}

void Actions::replace_document(std::shared_ptr<const document::Document> document) {
  parts_.session.replace(std::move(document));
  parts_.navigation.way_back().forget();
  const document::Document& opened = *parts_.opened().document;
  parts_.panels.outline = {};
  parts_.panels.outline.tab = panels::first_tab(opened.trace(), opened.outline);
  parts_.panels.outline.recorded = panels::recorded_marks(opened.trace(), opened.recorded);
  parts_.panels.strip = {};
  parts_.panels.strip_focus = {};
  update_kind();
  pages_.document_changed();
}

void Actions::show_read(std::shared_ptr<const document::Document> read) {
  View view = *std::exchange(parts_.session.opened().wanted, {});
  const document::LeftOpen left = std::exchange(parts_.session.opened().left, {});
  if (read->read.error) {
    parts_.messages.error(*read->read.error);  // the open document stays open
    return;
  }
  replace_document(std::move(read));
  parts_.session.opened().lesson_aside.reset();
  const document::Document& document = *parts_.opened().document;
  if (!view.ranks.empty()) {
    view.file = document.file;
    if (document.ranks != nullptr)
      view.rank = document.ranks->ranks[document.rank].identity.rank;
    else  // one trace alone
      view.ranks.clear();
  }
  choose_left_open(view, left, parts_.opened(), parts_.settings, parts_.host.assets);
  parts_.session.take(view);
  if (!parts_.opened().lesson) pages_.open_for(view.scene);
  if (left.slice != story::no_slice) show_slice(left.slice);
  pages::Messages& messages = parts_.messages;
  for (const trace::Problem& problem : document.read.problems.rows())
    if (messages.note().text.empty() && trace::loses_data(problem.kind)) messages.error(problem.message);
  // Shown once after the start: the three keys that lead to all others.
  if (messages.note().text.empty() && !greeted_) messages.hint(parts_.words.text("hint", "first_keys"));
  greeted_ = true;
  if (!document.unsaved && !is_shipped(view.file, parts_.host.assets))
    add_recent(view.ranks.size() == 1 ? view.ranks.front() : view.file);
}

void Actions::open(const std::filesystem::path& file) {
  if (analysis::names_ranks({file})) return open_ranks({file});
  View view;
  view.file = file;
  view.first_route = on_first_route(parts_);
  open_view(view, {.place = true, .names = true});
}

void Actions::open_ranks(std::vector<std::filesystem::path> paths) {
  View view;
  view.file = paths.front();  // until the trace of a rank is chosen
  view.ranks = std::move(paths);
  view.first_route = on_first_route(parts_);
  open_view(view, {.place = true, .names = true});
}

bool Actions::go_to_late_rank() {
  if (parts_.opened().view.scene != document::ranks_scene) return false;
  if (const auto late = first_late(parts_.opened())) go_to_rank(*late);
  return true;
}

void Actions::go_to_ranks() {
  const pages::Opened& opened = parts_.opened();
  if (opened.document->ranks == nullptr) return parts_.messages.tell("no_ranks");
  if (go_to_late_rank()) return;
  View view = opened.view;
  view.scene = document::ranks_scene;
  view.moment = ranks_moment_;
  parts_.session.go(view);
}

void Actions::go_to_rank(const story::RankTarget& target) {
  const pages::Opened& opened = parts_.opened();
  if (opened.document->ranks == nullptr || target.rank >= opened.document->ranks->ranks.size()) return;
  if (opened.view.scene == document::ranks_scene) ranks_moment_ = opened.view.moment;
  const View view = view_of_rank(opened, target.rank);
  if (parts_.session.reading() == nullptr && view.file == opened.document->file)
    target.slice == story::no_slice ? enter(document::overview_scene) : show_slice(target.slice);
  else
    open_view(view, {.slice = target.slice});
}

void Actions::show_slice(story::SliceId slice) {
  const pages::Opened& opened = parts_.opened();
  const trace::Trace& trace = opened.document->trace();
  const SlicePlace place = place_of(trace, slice);
  const story::Controls kept = controls_of(opened.view.controls, document::ranks_scene);
  parts_.navigation.follow(place.follow);
  View view = opened.view;
  view.scene = story::scenes().front().name;
  view.moment = {story::Moment::Kind::beat, 1, 1};
  view.controls = kept;
  parts_.session.go(view);
  if (place.frame == story::no_slice || parts_.presentation.on()) return;
  const auto from = static_cast<double>(trace.slices.start[place.frame] - trace.begin_ns);
  const auto to = static_cast<double>(place.until - trace.begin_ns);
  panels::StripState& strip = parts_.panels.strip;
  strip.from = std::max(0.0, from - 0.05 * (to - from));
  strip.to = std::min(static_cast<double>(trace.end_ns - trace.begin_ns), to + 0.05 * (to - from));
  pages::PointedSlice& pointed = parts_.session.opened().pointed;
  pointed = {place.frame, pointed.request + 1};
  if (pages_.shown() == nullptr) pages_.act(Action::timeline);
}

// In the lab about the whole trace.
void Actions::compare(const std::filesystem::path& file) {
  View view = parts_.opened().view;
  view.compare = file;
  view.scene = document::compare_scene;
  view.moment = document::compare_moment();
  parts_.compared.forget();
  parts_.session.go(view);
}

void Actions::show(View view) {
  Session& session = parts_.session;
  view.first_route = on_first_route(parts_);
  leave_lesson();
  const auto& document = session.opened().document;
  if (session.reading() == nullptr && is_open(view, session.opened())) {
    view.file = document->file;
    parts_.messages.clear();
    session.take(view);
  } else {
    open_view(view);
  }
}

void Actions::enter(std::string_view scene) {
  if (!parts_.opened().document) return;
  parts_.navigation.way_back().leave(parts_.opened(), scene);
  View view = parts_.opened().view;
  view.scene = scene;
  view.moment = {story::Moment::Kind::beat, 1, 1};
  parts_.session.go(view);
  pages_.open_for(scene);
}

void Actions::follow(story::SliceId slice) {
  parts_.navigation.follow(story::follow_name(parts_.opened().document->trace(), slice));
}

void Actions::take(std::shared_ptr<const document::Document> document, const View& view) {
  parts_.session.stop_reading();
  pages::Opened& opened = parts_.session.opened();
  std::optional<LessonAside> aside = std::exchange(opened.lesson_aside, {});
  if (opened.lesson) aside = {*std::move(opened.lesson), opened.lesson_step, opened.score};
  leave_lesson();
  opened.wanted = view;
  opened.left = {};
  show_read(std::move(document));
  opened.lesson_aside = std::move(aside);
}

void Actions::restore(std::shared_ptr<const document::Document> document, const View& view) {
  take_lesson_back();
  replace_document(std::move(document));
  parts_.session.take(view);
}

void Actions::bookmark(std::size_t number, bool anew) {
  std::string& link = parts_.settings.bookmarks[number - 1];
  if (link.empty() || anew) {
    if (!parts_.opened().document || !saved(parts_)) return;
    link = document::link_of(document::named(parts_.opened().view, *parts_.opened().stage));
    parts_.messages.confirm("bookmark_set", {{"n", std::to_string(number)}});
    return;
  }
  if (!open_link(link)) parts_.messages.fail("bookmark_unreadable", {{"n", std::to_string(number)}});
}

bool Actions::open_link(std::string_view link) {
  std::optional<View> view = document::view_of_link(link);
  if (!view) return false;
  view->first_route = on_first_route(parts_);
  if (is_open(*view, parts_.opened())) {
    parts_.messages.clear();
    parts_.session.take(*view);
  } else {
    open_view(*view);
  }
  return true;
}

void Actions::touch(const pictures::Touch& touched) {
  asked_.note(parts_.opened(), touched);
  story::Controls& controls = parts_.session.opened().view.controls;
  bool commits = false;
  for (const auto& [name, value] : touched.set) {
    if (value && (name == story::choose_control || name == story::answer_control)) {
      parts_.questions.choose(*value);
      commits = commits || name == story::answer_control;
    } else if (value) {
      controls.set(name, *value);
    } else {
      controls.clear(name);
    }
  }
  for (const auto& [name, text] : touched.texts) {
    const auto set = story::parse_setting(story::setting_text(name, text));
    if (set)
      controls.set(set->name, set->value);
    else
      parts_.messages.error(set.error());
  }
  if (commits) parts_.questions.commit();
  if (touched.rank) go_to_rank(*touched.rank);
  if (touched.follow != story::no_slice) follow(touched.follow);
  if (leads_to_writer(touched)) {
    // The SM may be another one, with another end.
    View view = parts_.opened().view;
    view.moment = {story::Moment::Kind::cycle, *touched.cycle, 1};
    parts_.session.go(view);
  } else if (touched.cycle) {
    parts_.navigation.go_to_cycle(*touched.cycle);
  }
  if (touched.go && touched.go->key.empty()) parts_.navigation.go_to_card(*touched.go);
  if (touched.go && !touched.go->key.empty()) {
    const auto at = std::ranges::find(pages::shortcuts(), touched.go->key, &pages::Shortcut::what);
    if (at != pages::shortcuts().end()) act(at->action);
  }
  if (touched.time) {
    View view = parts_.opened().view;
    view.scene = "boardroom";
    view.moment = {story::Moment::Kind::time, *touched.time, 1};
    parts_.session.go(view);
  }
}

void Actions::answer(const panels::TransportAnswer& answer) {
  using panels::TransportChoice;
  switch (answer.choice) {
    case TransportChoice::none: break;
    case TransportChoice::back: act(Action::back); break;
    case TransportChoice::play: act(Action::play); break;
    case TransportChoice::next: act(Action::next); break;
    case TransportChoice::slower: act(Action::slower); break;
    case TransportChoice::faster: act(Action::faster); break;
    case TransportChoice::motion: act(Action::reduced_motion); break;
    case TransportChoice::theme: act(Action::theme); break;
    case TransportChoice::names: act(Action::names); break;
    case TransportChoice::run: act(Action::run); break;
    case TransportChoice::observe: act(Action::observe); break;
    case TransportChoice::start: act(Action::start); break;
    case TransportChoice::open: act(Action::files); break;
    case TransportChoice::present: act(Action::present); break;
    case TransportChoice::help: act(Action::help); break;
    case TransportChoice::beat: {
      View view = parts_.opened().view;
      view.moment = {story::Moment::Kind::beat, answer.beat, answer.beat > parts_.opened().stage->beat ? 0.0 : 1.0};
      parts_.session.go(view);
    }
  }
}

}  // namespace warpwalk::shell
