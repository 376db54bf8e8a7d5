// The actions of keys, buttons and clicks.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/shell/shell.h"
#include "core/story/records/hardware.h"
#include "core/story/scenes.h"
#include "core/trace/link.h"

namespace warpwalk::shell {
namespace {

constexpr std::array<std::string_view, 3> theme_names = {"dark", "light", "high-contrast"};
constexpr std::int64_t all_the_way = 1000000;
constexpr std::string_view kernel_lab_scene = "lab/kernel";
constexpr double still = 2.5;  // seconds; Space goes on at once

story::SliceId longest_kernel(const document::Document& document) {
  const auto& duration = document.trace().slices.duration;
  story::SliceId longest = story::no_slice;
  for (const story::KernelGroup& group : document.outline.kernels)
    if (longest == story::no_slice || duration[group.longest] > duration[longest]) longest = group.longest;
  return longest;
}

}  // namespace

// Esc closes the topmost sheet; then it dismisses a message, cancels work, and at last ends the lesson.
void Shell::close() {
  if (sheet_ == Sheet::run && run_job_.busy()) {
    run_job_.cancel();
  } else if (sheet_ == Sheet::kernel) {
    close_lab();
  } else if (sheet_ != Sheet::none) {
    sheet_ = Sheet::none;
  } else if (loader_.busy()) {
    loader_.cancel();
    wanted_.reset();
    confirm("reading_cancelled");
  } else if (compare_loader_.busy()) {
    compare_loader_.cancel();
    view_.compare.clear();
    compared_file_.clear();
    confirm("reading_cancelled");
  } else if (filming_) {
    host_.cancel_film();
  } else if (!presenting_ && note_.kind != panels::Note::Kind::hint) {
    note_ = {};
  } else if (blank_) {
    blank_ = false;
  } else if (full_screen_) {
    full_screen_ = false;
  } else if (presenting_) {
    set_presenting(false);
  } else if (memory_.focus_shown) {
    memory_.focus.clear();
    memory_.focus_shown = false;
  } else if (!outline_.search.text.empty()) {
    outline_.search.text.clear();
  } else if (lesson_) {
    lesson_.reset();
    confirm("lesson_closed");
  } else if (lab_back_) {
    return_to_lab();
  }
}

void Shell::act(Action action) {
  const auto toggle = [&](Sheet sheet) { sheet_ = sheet_ == sheet ? Sheet::none : sheet; };
  switch (action) {
    case Action::none: return;
    case Action::help: toggle(Sheet::help); return;
    case Action::start: open_start_page(); return;
    case Action::files: open_files(); return;
    case Action::compare:
      if (document_) open_files(true);
      return;
    case Action::run:
      run_panel_ = {};
      cuda_.start();
      toggle(Sheet::run);
      return;
    case Action::kernel_lab: open_lab(); return;
    case Action::compose: open_lesson_page(); return;
    case Action::add_moment: add_moment(); return;
    case Action::observe:
      observe_ = {};
      toggle(Sheet::observe);
      return;
    case Action::theme: {
      const auto at = std::find(theme_names.begin(), theme_names.end(), theme().name);
      settings_.theme = theme_names[static_cast<std::size_t>(at - theme_names.begin() + 1) % theme_names.size()];
      return;
    }
    case Action::names:
      view_.naming = view_.naming == story::Naming::both       ? story::Naming::hardware
                     : view_.naming == story::Naming::hardware ? story::Naming::company
                                                               : story::Naming::both;
      settings_.naming = view_.naming;
      confirm("names", {{"names", narration_.text("note", fmt::format("names.{}", story::name_of(view_.naming)))}});
      return;
    case Action::reduced_motion:
      transport_.reduced_motion = !transport_.reduced_motion;
      settings_.reduced_motion = transport_.reduced_motion;
      return;
    case Action::faster:
    case Action::slower:
      transport_.speed = std::clamp(transport_.speed * (action == Action::faster ? 2 : 0.5), 0.25, 4.0);
      settings_.speed = transport_.speed;
      return;
    case Action::questions:
      settings_.questions = !settings_.questions;
      predictions_.asking = settings_.questions;
      confirm(settings_.questions ? "questions.on" : "questions.off");
      return;
    case Action::full_screen: full_screen_ = !full_screen_; return;
    case Action::close: close(); return;
    default:
      if (document_) act_on_trace(action);
  }
}

void Shell::act_on_trace(Action action) {
  const trace::Trace& trace = document_->trace();
  const std::int64_t length = trace.end_ns - trace.begin_ns;
  const double middle = (strip_.from + strip_.to) / 2;
  switch (action) {
    case Action::next:
      // Nobody misses what a beat shows: the first step shows the answer.
      if (asks())
        commit_answer();
      else
        step(1);
      break;
    case Action::back: step(-1); break;
    case Action::next_scene: go(document::scene_stepped(view_, 1, trace, walk_)); break;
    case Action::previous_scene: go(document::scene_stepped(view_, -1, trace, walk_)); break;
    case Action::restart: step(-all_the_way); break;
    case Action::last: step(all_the_way); break;
    case Action::play:
      transport_.playing = !transport_.playing;
      if (transport_.playing && asks())
        commit_answer();
      else
        waited_ = still;
      break;
    case Action::present:
      set_presenting(!presenting_);
      blank_ = false;
      break;
    case Action::blank: blank_ = presenting_ && !blank_; break;
    case Action::notes:  // never on the projected picture
      if (presenting_)
        lecturer_ = !lecturer_;
      else
        notes_ = !notes_;
      break;
    case Action::clock_zero: presented_at_ = Clock::now(); break;
    case Action::glossary:
      glossary_scroll_ = 0;
      sheet_ = sheet_ == Sheet::glossary ? Sheet::none : Sheet::glossary;
      break;
    case Action::idle: sheet_ = Sheet::idle; break;
    case Action::timeline: sheet_ = Sheet::timeline; break;
    case Action::search:
      outline_.typing = true;
      memory_.focus.clear();  // a text field no longer takes the keys
      memory_.takes_text = false;
      set_presenting(false);
      break;
    case Action::longest_kernel: follow(story::follow_name(trace, longest_kernel(*document_))); break;
    case Action::zoom_in: panels::zoom(strip_, 0.5, middle, length); break;
    case Action::zoom_out: panels::zoom(strip_, 2, middle, length); break;
    case Action::pan_left: panels::pan(strip_, -0.25, length); break;
    case Action::pan_right: panels::pan(strip_, 0.25, length); break;
    case Action::fit: strip_ = {}; break;
    case Action::scrub_back: scrub(-1); break;
    case Action::scrub_on: scrub(1); break;
    case Action::stop_back: go_to_stop_cycle(false); break;
    case Action::stop_on: go_to_stop_cycle(true); break;
    case Action::lab: toggle_lab(); break;
    case Action::reset_controls:
      view_.controls.clear_scene(view_.scene);
      predictions_.clear_scene(view_.scene);
      if (lesson_) predictions_.clear_scene("lesson");
      break;
    case Action::save_walk: save_walk(); break;
    case Action::copy_link: {
      if (document_->unsaved) {
        fail("not_saved");
        break;
      }
      const std::string command = document::command_for(view_, theme().name);
      host_.copy(command);
      confirm("copied", {{"command", command}});
      break;
    }
    case Action::save_picture:
    case Action::save_svg: {
      const auto format = action == Action::save_svg ? PictureFormat::svg : PictureFormat::png;
      const auto [file, error] = host_.save_picture(*stage_, theme(), view_, format);
      if (error.empty())
        confirm_saved(file);
      else
        report_error(error);
      break;
    }
    case Action::film:
      if (filming_) break;
      if (document_->unsaved) {
        fail("not_saved");
        break;
      }
      note_ = {};
      if (const std::string error = host_.start_film(view_, theme()); !error.empty())
        fail("no_film", {{"reason", error}});
      else
        filming_ = true;
      film_share_ = 0;
      break;
    default: break;
  }
}

// From a scene to its first lab, from a lab to the next one of its scene, and from the last one back to the scene.
void Shell::toggle_lab() {
  const story::Scene* const here = story::find_scene(view_.scene);
  const std::vector<story::Scene>& labs = story::labs();
  const bool in_lab = here != nullptr && here->is_lab();
  const auto after = in_lab ? std::ranges::find(labs, here->name, &story::Scene::name) + 1 : labs.begin();
  const std::string_view scene = in_lab ? here->opens_from : std::string_view(view_.scene);
  const auto lab = std::ranges::find(after, labs.end(), scene, &story::Scene::opens_from);
  if (!in_lab && lab == labs.end()) {
    note_ = {narration_.text("note", "no_lab")};
    return;
  }
  View view = view_;
  view.scene = lab == labs.end() ? scene : lab->name;
  view.moment = {story::Moment::Kind::beat, 1, 1};
  go(view);
  if (view.scene == kernel_lab_scene) open_lab();
}

void Shell::go_to_cycle(std::int64_t cycle) {
  if (!stage_ || !stage_->cycle) return;
  View view = view_;
  view.moment = {story::Moment::Kind::cycle, std::clamp<std::int64_t>(cycle, 0, stage_->cycle->end), 1};
  go(view);
}

// To the next or the previous event of the kind that the person chose.
void Shell::go_to_stop_cycle(bool forward) {
  const story::Scene* const scene = story::find_scene(view_.scene);
  if (scene == nullptr || !stage_ || !stage_->cycle) return;
  if (const auto cycle = story::next_stop(*scene, input_at(view_.moment), forward))
    go_to_cycle(*cycle);
  else
    note_ = {narration_.text("note", forward ? "no_stop_ahead" : "no_stop_behind")};
}

// To the launch that ended a gap, with the gap in the middle of the strip. If it launched a kernel, that is followed.
void Shell::go_to_gap(const story::IdleGap& gap) {
  const trace::Trace& trace = document_->trace();
  sheet_ = Sheet::none;
  if (trace.slices.kind[gap.work] == trace::SliceKind::kernel) follow(story::follow_name(trace, gap.work));
  const trace::SliceId launch = trace::launch_of(trace, gap.work);
  const std::int64_t moment = launch == trace::no_slice ? gap.to : trace.slices.start[launch];
  View view = view_;
  view.scene = "boardroom";
  view.moment = {story::Moment::Kind::time, moment - trace.begin_ns, 1};
  go(view);
  const auto beside = 0.5 * static_cast<double>(gap.length());
  strip_.from = std::max(0.0, static_cast<double>(gap.from - trace.begin_ns) - beside);
  strip_.to = std::min(static_cast<double>(trace.end_ns - trace.begin_ns),
                       static_cast<double>(gap.to - trace.begin_ns) + beside);
}

// Moves the moment by hundredths of the stretch that the strip shows; in a scene that goes through cycles, by cycles or
// from one instruction to the next.
void Shell::scrub(double hundredths) {
  if (stage_ && stage_->cycle) {
    if (stage_->cycle->by_stops) return go_to_stop_cycle(hundredths > 0);
    return go_to_cycle(stage_->cycle->at + static_cast<std::int64_t>(hundredths));
  }
  const trace::Trace& trace = document_->trace();
  const std::int64_t length = trace.end_ns - trace.begin_ns;
  const double shown = strip_.to > strip_.from ? strip_.to - strip_.from : static_cast<double>(length);
  const auto by = static_cast<std::int64_t>(hundredths * std::max(1.0, shown / 100));
  View view = view_;
  view.moment = {story::Moment::Kind::time, std::clamp<std::int64_t>(moment_in_trace() + by, 0, length), 1};
  go(view);
}

void Shell::bookmark(std::size_t number, bool anew) {
  std::string& link = settings_.bookmarks[number - 1];
  if (link.empty() || anew) {
    if (!document_) return;
    if (document_->unsaved) {
      fail("not_saved");
      return;
    }
    link = document::link_of(view_);
    confirm("bookmark_set", {{"n", std::to_string(number)}});
    return;
  }
  const std::optional<View> view = document::view_of_link(link);
  if (!view) {
    fail("bookmark_unreadable", {{"n", std::to_string(number)}});
    return;
  }
  if (document_ && document_->file == view->file) {
    note_ = {};
    take_view(*view);
  } else {
    open(*view);
  }
}

void Shell::keys(const draw::Input& input) {
  using draw::Key;
  for (const draw::KeyPress& press : input.keys) {
    if (pages::action_of(press) == Action::full_screen) {  // also from a sheet and while text is typed
      act(Action::full_screen);
      continue;
    }
    const bool closing = press.key == Key::escape;
    const bool digit = press.control && press.character >= U'1' && press.character <= U'9';
    if (digit && sheet_ == Sheet::none) {
      bookmark(press.character - U'0', press.shift);
    } else if (sheet_ == Sheet::files || sheet_ == Sheet::run || sheet_ == Sheet::kernel || sheet_ == Sheet::lesson) {
      if (closing) close();  // the sheet takes all other keys
    } else if (sheet_ == Sheet::start) {
      const Action action = pages::action_of(press);
      const bool allowed = action == Action::start || action == Action::files || action == Action::run ||
                           action == Action::observe || action == Action::compose || action == Action::theme ||
                           action == Action::help;
      if (closing || allowed) act(closing ? Action::close : action);  // the page takes Tab, arrows, Enter
    } else if (sheet_ != Sheet::none) {
      const Action action = pages::action_of(press);
      const bool same = (sheet_ == Sheet::help && action == Action::help) ||
                        (sheet_ == Sheet::glossary && action == Action::glossary) ||
                        (sheet_ == Sheet::idle && action == Action::idle) ||
                        (sheet_ == Sheet::timeline && action == Action::timeline) ||
                        (sheet_ == Sheet::observe && action == Action::observe);
      if (closing || same) sheet_ = Sheet::none;
    } else if (outline_.typing) {
      panels::type(outline_, press, &memory_.copied);  // the search field takes the letters
    } else {
      const bool across = press.key == Key::left || press.key == Key::right;
      const bool along =
          press.key == Key::up || press.key == Key::down || press.key == Key::page_up || press.key == Key::page_down;
      const bool ends = press.key == Key::home || press.key == Key::end;
      if (types(press)) continue;
      // The slider or the list that has the focus takes these.
      if (memory_.takes_across && (across || ends)) continue;
      if (memory_.takes_along && (along || ends)) continue;
      if (!question_key(press)) act(pages::action_of(press));
    }
  }
}

// Whether the text field on the stage takes the key. Enter and Escape leave the field; Tab, the keys of a presenter and
// shortcuts with Control that edit nothing work as always.
bool Shell::types(const draw::KeyPress& press) {
  using draw::Key;
  if (!memory_.takes_text) return false;
  if (press.key == Key::enter || press.key == Key::escape) {
    memory_.focus.clear();
    memory_.takes_text = false;
    return true;
  }
  if (press.control && press.key == Key::character)
    return std::u32string_view(U"acvx").find(press.character) != std::u32string_view::npos;
  return press.key != Key::tab && press.key != Key::page_up && press.key != Key::page_down;
}

void Shell::touch(const scenes::Touch& touched) {
  bool commits = false;
  for (const auto& [name, value] : touched.set) {
    if (value && (name == story::choose_control || name == story::answer_control)) {
      choose_option(*value);
      commits = commits || name == story::answer_control;
    } else if (value)
      view_.controls.set(name, *value);
    else
      view_.controls.clear(name);
  }
  for (const auto& [name, text] : touched.texts) {
    const auto [set, error] = story::parse_setting(story::setting_text(name, text));
    if (error)
      report_error(*error);
    else
      view_.controls.set(set.first, set.second);
  }
  if (commits) commit_answer();
  if (touched.follow != story::no_slice) follow(story::follow_name(document_->trace(), touched.follow));
  if (touched.cycle) go_to_cycle(*touched.cycle);
  if (touched.go) go_to_card(*touched.go);
  if (touched.time) {
    View view = view_;
    view.scene = "boardroom";
    view.moment = {story::Moment::Kind::time, *touched.time, 1};
    go(view);
  }
}

// A card leads to a key's action, or to a beat with its settings.
void Shell::go_to_card(const story::CardLink& link) {
  if (!link.key.empty()) {
    const auto at = std::ranges::find(pages::shortcuts(), link.key, &pages::Shortcut::what);
    if (at != pages::shortcuts().end()) act(at->action);
    return;
  }
  const story::Scene* const scene = story::find_scene(link.scene);
  if (scene == nullptr || !document_) return;
  View view = view_;
  view.scene = link.scene;
  view.moment = {story::Moment::Kind::beat, 1, transport_.reduced_motion ? 1.0 : 0.0};
  const std::vector<story::Beat> beats = scene->beats(document_->trace(), walk_);
  for (std::size_t b = 0; b < beats.size(); ++b)
    if (beats[b].key == link.beat) view.moment.value = static_cast<std::int64_t>(b) + 1;
  for (const std::string& setting : link.settings)
    if (const auto [set, error] = story::parse_setting(setting); !error) view.controls.set(set.first, set.second);
  go(view);
}

void Shell::answer(const panels::TransportAnswer& answer) {
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
      View view = view_;
      view.moment = {story::Moment::Kind::beat, answer.beat, answer.beat > stage_->beat ? 0.0 : 1.0};
      go(view);
    }
  }
}

// Goes to the next beat, of any scene, that is about this stop. Repeated choices go round.
void Shell::go_to_stop(std::size_t stop) {
  const trace::Trace& trace = document_->trace();
  const std::vector<document::Place> places = document::places_of(trace, walk_);
  const std::size_t from = document::place_index(places, view_, trace, walk_);
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i <= places.size(); ++i) order.push_back((from + i) % places.size());
  // The open scene comes first, unless it is about this stop already.
  if (!stage_->route[stop].here)
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return places[i].scene->name == view_.scene; });
  for (const std::size_t i : order) {
    const document::Place& place = places[i];
    const auto [stage, error] = story::stage_at(*place.scene, input_at({story::Moment::Kind::beat, place.beat, 1}));
    if (error || !stage.route[stop].here) continue;
    View view = view_;
    view.scene = place.scene->name;
    view.moment = {story::Moment::Kind::beat, place.beat, 0};
    go(view);
    return;
  }
  fail("no_stop", {{"stop", stage_->route[stop].name}});
}

}  // namespace warpwalk::shell
