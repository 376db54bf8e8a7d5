#include "app/shell/pages.h"

#include <algorithm>

#include "app/pages/answers/counts_page.h"
#include "app/pages/answers/hand_in_page.h"
#include "app/pages/compiled.h"
#include "app/pages/exercise/exercise_page.h"
#include "app/pages/files/files_page.h"
#include "app/pages/glossary.h"
#include "app/pages/help.h"
#include "app/pages/idle.h"
#include "app/pages/kernel_lab/kernel_lab_page.h"
#include "app/pages/kernels/kernels_page.h"
#include "app/pages/lesson/lesson_page.h"
#include "app/pages/modules/modules_page.h"
#include "app/pages/observe/observe_page.h"
#include "app/pages/run/run_page.h"
#include "app/pages/start/start_page.h"
#include "app/pages/timeline/timeline_page.h"
#include "app/pages/what_if/what_if_page.h"

namespace warpwalk::shell {
namespace {

template <class Type>
std::unique_ptr<pages::Page> page_of(const pages::Context& context) {
  return std::make_unique<Type>(context);
}

bool has_action(const PageKind& kind, pages::Action action) {
  return std::ranges::find(kind.actions, action) != kind.actions.end();
}

}  // namespace

const std::vector<PageKind>& page_kinds() {
  using pages::Action;
  static const std::vector<PageKind> kinds = {
      {"start", {Action::start}, page_of<pages::StartPage>},
      {"files", {Action::files, Action::compare}, page_of<pages::FilesPage>},
      {"run", {Action::run}, page_of<pages::RunPage>},
      {"kernel", {Action::kernel_lab}, page_of<pages::KernelLabPage>, "lab/kernel"},
      {"exercise", {Action::exercises}, page_of<pages::ExercisePage>, "lab/exercise"},
      {"compiled", {}, page_of<pages::CompiledPage>},
      {"lesson", {Action::compose, Action::add_moment}, page_of<pages::LessonPage>},
      {"observe", {Action::observe}, page_of<pages::ObservePage>},
      {"timeline", {Action::timeline}, page_of<pages::TimelinePage>},
      {"idle", {Action::idle}, page_of<pages::IdlePage>},
      {"what_if", {Action::what_if}, page_of<pages::WhatIfPage>},
      {"kernels", {Action::kernels}, page_of<pages::KernelsPage>},
      {"modules", {Action::modules}, page_of<pages::ModulesPage>},
      {"counts", {Action::counts}, page_of<pages::CountsPage>},
      {"hand_in", {Action::hand_in}, page_of<pages::HandInPage>},
      {"glossary", {Action::glossary}, page_of<pages::GlossaryPage>},
      {"help", {Action::help}, page_of<pages::HelpPage>},
  };
  return kinds;
}

Pages::Pages(const pages::Context& context) : context_(context) {
  for (const PageKind& kind : page_kinds()) pages_.push_back(kind.make(context_));
}

void Pages::show(std::optional<std::size_t> page) {
  back_.reset();
  if (page == shown_) return;
  if (pages::Page* const left = shown()) {
    left->set_shown(false);
    left->leave();
  }
  shown_ = page;
  if (page) pages_[*page]->set_shown(true);
}

bool Pages::act(pages::Action action) {
  const auto kind = std::ranges::find_if(page_kinds(), [&](const PageKind& one) { return has_action(one, action); });
  if (kind == page_kinds().end()) return false;
  const auto page = static_cast<std::size_t>(kind - page_kinds().begin());
  if (shown_ == page)
    close();
  else if (pages_[page]->open(action))
    show(page);
  return true;
}

void Pages::open_for(std::string_view scene) {
  const auto kind = std::ranges::find(page_kinds(), scene, &PageKind::scene);
  if (scene.empty() || kind == page_kinds().end()) return;
  const auto page = static_cast<std::size_t>(kind - page_kinds().begin());
  if (pages_[page]->open(kind->actions.front())) show(page);
}

bool Pages::take_file(const std::filesystem::path& file) {
  for (std::size_t page = 0; page < pages_.size(); ++page)
    if (pages_[page]->take_file(file)) {
      show(page);
      return true;
    }
  return false;
}

bool Pages::take_file_from_page(const std::filesystem::path& file) {
  const std::optional<std::size_t> from = shown_;
  if (!take_file(file)) return false;
  back_ = from;
  return true;
}

bool Pages::takes(const draw::KeyPress& press) const {
  return shown()->takes(press, has_action(page_kinds()[*shown_], pages::action_of(press)));
}

bool Pages::take_back() {
  for (std::size_t page = 0; page < pages_.size(); ++page)
    if (pages_[page]->take_back()) {
      show(page);
      return true;
    }
  return false;
}

void Pages::document_changed() {
  for (const auto& page : pages_) page->document_changed();
}

bool Pages::busy() const {
  return std::ranges::any_of(pages_, [](const auto& page) { return page->busy(); });
}

std::string Pages::work() const {
  for (const auto& page : pages_)
    if (std::string work = page->work(); !work.empty()) return work;
  return {};
}

}  // namespace warpwalk::shell
