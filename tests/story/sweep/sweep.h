#pragma once

// A stage is a pure function of its input, so one pass makes every stage of every walk once, and all checks look at it.
// A new check of all stages is a class in one of the files of this folder, and a row in its function below.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/stage/scene.h"
#include "core/story/stage/stage.h"

namespace warpwalk::story::testing {

/// A walk whose stages are made.
struct SweptWalk {
  std::string name;         ///< "mlp_train op:3", or the name of a crafted trace
  std::string_view sample;  ///< the recorded walk that it is of; empty: it is of a crafted trace
  const Trace& trace;
  Walk walk;
  bool labs = false;      ///< with all labs; the others hardly depend on the walk
  std::string said = {};  ///< title and sentence of every stage that depends on the walk, when all of them are made
};

/// A stage at the end of its beat.
class SweptStage {
 public:
  SweptStage(const SweptWalk& of_walk, const Scene& of_scene, const Stage& made)
      : walk(of_walk), scene(of_scene), stage(made) {}

  const SweptWalk& walk;
  const Scene& scene;
  const Stage& stage;

  std::string where() const;
  // Made when the first check asks for them.
  const std::string& everything() const;  ///< everything_on()
  const std::string& text() const;        ///< transcript()

 private:
  mutable std::optional<std::string> everything_, text_;
};

/// The end of a beat of a scene, and the beginning of the next one.
class SweptBoundary {
 public:
  SweptBoundary(const SweptWalk& of_walk, const Scene& of_scene, const Stage& at_end,
                const std::function<Stage()>& make_after)
      : walk(of_walk), scene(of_scene), before(at_end), make_after_(make_after) {}

  const SweptWalk& walk;
  const Scene& scene;
  const Stage& before;

  std::string where() const;
  const Stage& after() const;  ///< made when the first check asks for it

 private:
  const std::function<Stage()>& make_after_;
  mutable std::optional<Stage> after_;
};

/// Something that holds for every stage, boundary or walk. Failures are expectations of GoogleTest.
class SweepCheck {
 public:
  explicit SweepCheck(std::string name) : name_(std::move(name)) {}
  virtual ~SweepCheck() = default;
  SweepCheck(const SweepCheck&) = delete;
  SweepCheck& operator=(const SweepCheck&) = delete;

  /// In the messages of its failures.
  const std::string& name() const { return name_; }
  virtual void look_at(const SweptStage&) {}
  virtual void look_at(const SweptBoundary&) {}
  virtual void look_at(const SweptWalk&) {}
  /// Whether the check met what it is about often enough to mean something.
  virtual void end() {}

 private:
  std::string name_;
};

using SweepChecks = std::vector<std::unique_ptr<SweepCheck>>;

SweepChecks statement_checks();   ///< no sentence contradicts the trace
SweepChecks stage_checks();       ///< what every stage has to have
SweepChecks continuity_checks();  ///< from beat to beat nothing jumps

/// The crafted walks, and every op and kernel of the recorded and of the crafted traces; equal walks of a trace once.
/// With sanitizers, fewer of them.
std::vector<SweptWalk> swept_walks();

/// Makes all stages and lets the checks look at them.
void sweep(std::vector<SweptWalk> walks, const SweepChecks& checks);

}  // namespace warpwalk::story::testing
