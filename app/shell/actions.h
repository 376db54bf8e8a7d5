#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "app/pictures/touch.h"
#include "app/shell/asked_trail.h"
#include "app/shell/pages.h"
#include "app/shell/parts.h"

namespace warpwalk::shell {

/// What keys, buttons, clicks and pages do.
class Actions final : public pages::Program {
 public:
  /// Both must outlive this object; `pages` may be made later.
  Actions(Parts& parts, Pages& pages) : parts_(parts), pages_(pages) {}

  /// Begins to read the file of a view, which is shown once it is read. A lesson is opened at its first step. `left`:
  /// what of the view is chosen then.
  void open_view(const View& view, const document::LeftOpen& left = {});
  /// Shows a document that was read or made, with `opened().wanted`; if it could not be read, its error.
  void show_read(std::shared_ptr<const document::Document> document);
  /// Opens the view of a link (document::view_of_link). Returns false if it cannot be read.
  bool open_link(std::string_view link);
  /// Goes to a bookmark, from 1. `anew`: it becomes the view that is shown, as if it were not set.
  void bookmark(std::size_t number, bool anew);
  /// What was touched on the stage.
  void touch(const pictures::Touch& touched);
  /// What was chosen in the transport bar.
  void answer(const panels::TransportAnswer& answer);

  void act(pages::Action action) override;
  void close_page() override { pages_.close(); }
  void take_file(const std::filesystem::path& file) override { pages_.take_file_from_page(file); }
  void end_presenting() override { present(false); }
  /// Begins or ends presenting.
  void present(bool on);
  /// A key of a presentation, which the lecturer's list of steps takes while it can be seen. Returns whether it did.
  bool choose_step(const draw::KeyPress& press);
  /// Goes to the step that was chosen in that list, if one was.
  void take_step();
  void open(const std::filesystem::path& file) override;
  void compare(const std::filesystem::path& file) override;
  void show(View view) override;
  void go(const View& view) override { parts_.session.go(view); }
  void enter(std::string_view scene) override;
  void follow(story::SliceId slice) override;
  void take(std::shared_ptr<const document::Document> document, const View& view) override;
  void restore(std::shared_ptr<const document::Document> document, const View& view) override;
  void add_recent(const std::filesystem::path& file) override { parts_.settings.add_recent(file); }
  /// Begins to read the traces of ranks: a folder, or several files.
  void open_ranks(std::vector<std::filesystem::path> paths);
  /// Notes the step of the open lesson in the settings.
  void keep_lesson_step();
  /// Enter without a focus: in scene `ranks`, to the rank that others wait for, at its cause. Returns false elsewhere.
  bool go_to_late_rank();

 private:
  void act_on_document(pages::Action action);
  /// While presenting: shows the list of steps instead of the composer, and refuses what is not for the class. Returns
  /// false if there is nothing of this kind to do.
  bool act_while_presenting(pages::Action action);
  /// Does what only a presentation has. Returns false for any other action.
  bool act_on_presentation(pages::Action action);
  /// Opens the list of steps in the lecturer's window, or closes it.
  void show_steps();
  void close();
  void leave_lesson();
  /// Asks before it leaves the lesson.
  void close_lesson();
  /// The lesson that gave way to a walk is open again, at its step. Returns false if there is none.
  bool take_lesson_back();
  /// Between the overview of the trace and the walk through what is followed.
  void go_to_walk();
  /// Follows a launch that was recorded with its memory.
  void follow_recorded();
  /// Takes note of whether the document is an own trace, on which it depends whether beats ask.
  void update_kind();
  void replace_document(std::shared_ptr<const document::Document> document);
  /// To the comparison of the ranks, as it was left; from there to the late rank.
  void go_to_ranks();
  /// Opens the trace of a rank, if another one is open, and shows the slice there.
  void go_to_rank(const story::RankTarget& target);
  /// Follows a slice in the walk. A Python frame is shown in the timeline, with what is followed near it.
  void show_slice(story::SliceId slice);

  Parts& parts_;
  Pages& pages_;
  bool greeted_ = false;
  AskedTrail asked_;
  story::Moment ranks_moment_{story::Moment::Kind::beat, 1, 1};  // of scene `ranks`, as it was left
};

}  // namespace warpwalk::shell
