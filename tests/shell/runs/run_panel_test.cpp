// An expression run in the window: its form, its errors in place, and its walk.
#include <cstdio>
#include <filesystem>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/pages/run/run_form.h"
#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using pages::judge;
using pages::RunForm;
using pages::RunJudgement;
using ::testing::HasSubstr;

RunForm form_of(const std::string& expression) {
  RunForm form;
  form.expression.text = expression;
  return form;
}

TEST(RunForm, WhatItBeginsWithCanBeRun) {
  RunForm form;
  const RunJudgement judgement = judge(form, "none");
  ASSERT_TRUE(judgement.good());
  EXPECT_EQ(judgement.result->sizes, (ops::Sizes{256, 64}));
  const run::RunRequest request = pages::request_of(form);
  EXPECT_EQ(request.expression, "relu(a @ b)");
  ASSERT_EQ(request.inputs.size(), 2u);
  EXPECT_EQ(request.inputs[1].name, "b");
  EXPECT_EQ(request.inputs[1].sizes, (ops::Sizes{128, 64}));
  EXPECT_EQ(request.seed, 1u);
  EXPECT_EQ(request.on, run::Target::sim);
}

TEST(RunForm, ANewNameGetsARowAndKeepsWhatWasWrittenThere) {
  RunForm form = form_of("a * c");
  judge(form, "");
  ASSERT_EQ(form.used.size(), 2u);
  EXPECT_EQ(form.inputs[form.used[1]].name, "c");
  form.inputs[form.used[1]].shape.text = "256x1";
  form.expression.text = "a * ";  // not complete yet: what it names stays
  EXPECT_TRUE(judge(form, "").error);
  ASSERT_EQ(form.used.size(), 1u);
  EXPECT_EQ(form.inputs[form.used[0]].name, "a");
  form.expression.text = "a";
  EXPECT_TRUE(judge(form, "").good());
  EXPECT_EQ(form.used.size(), 1u);
  form.expression.text = "a + c";
  const RunJudgement judgement = judge(form, "");
  ASSERT_TRUE(judgement.good());
  EXPECT_EQ(judgement.result->sizes, (ops::Sizes{256, 128}));
}

TEST(RunForm, FunctionsAndModulesAreNoInputs) {
  // Each text is typed letter by letter, so that every beginning of a name was an input for a moment.
  for (const auto& [text, inputs] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{{"a.sum()/3 + foo(b)", {"a", "b"}},
                                                                     {"torch.softmaxx(a, dim=1)", {"a"}},
                                                                     {"F.nothing(a)", {"a"}},
                                                                     {"a.mean(keepdim=True) + ", {"a"}}}) {
    RunForm form = form_of("");
    for (const char c : text) {
      form.expression.text += c;
      judge(form, "");
    }
    EXPECT_TRUE(judge(form, "").error) << text;
    std::vector<std::string> listed;
    for (const std::size_t row : form.used) listed.push_back(form.inputs[row].name);
    EXPECT_EQ(listed, inputs) << text;
  }
}

TEST(RunForm, ErrorsStandAtTheirPlace) {
  RunForm form = form_of("relu(a @@ b)");
  RunJudgement judgement = judge(form, "");
  ASSERT_TRUE(judgement.error);
  EXPECT_GE(judgement.error->position, 7u);
  EXPECT_FALSE(judgement.good());
  form = form_of("relu(b @ a)");
  judgement = judge(form, "");
  ASSERT_TRUE(judgement.error);  // shapes
  EXPECT_THAT(judgement.error->message, HasSubstr("256x128"));
  form = {};
  form.inputs[0].shape.text = "256x";
  judgement = judge(form, "");
  EXPECT_TRUE(judgement.wrong_shapes[0]);
  EXPECT_FALSE(judgement.wrong_shapes[1]);
  EXPECT_FALSE(judgement.good());
  form = {};
  form.seed.text = "-1";
  EXPECT_FALSE(judge(form, "").good());
  form = {};
  form.on = run::Target::cuda;
  EXPECT_EQ(judge(form, "no GPU").on, "no GPU");
  EXPECT_FALSE(judge(form, "no GPU").good());
  EXPECT_TRUE(judge(form, "").good());
}

void clear_field(Driver& driver) {
  for (int i = 0; i < 40; ++i) driver.press(draw::Key::backspace);
}

TEST(RunPanel, WithKeysAloneAnExpressionBecomesAWalk) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'x');
  EXPECT_EQ(driver.shell.sheet(), "run");
  clear_field(driver);
  driver.type("a@b");
  driver.press(draw::Key::tab);  // the shape of a
  clear_field(driver);
  driver.type("24x16");
  driver.press(draw::Key::tab);  // its type
  driver.press(draw::Key::tab);  // the shape of b
  clear_field(driver);
  driver.type("16x8");
  driver.press(draw::Key::enter);
  EXPECT_TRUE(driver.shell.busy());
  driver.wait();
  ASSERT_NE(driver.shell.opened().document, nullptr);
  EXPECT_TRUE(driver.shell.opened().document->unsaved) << driver.shell.note().text;
  EXPECT_EQ(driver.shell.opened().document->trace().records.expression, "a@b");
  EXPECT_THAT(driver.shell.note().text, HasSubstr("a@b: 24x8 f32, checked against the cpu"));
  EXPECT_EQ(driver.shell.sheet(), "run");  // this sheet shows the checks
  driver.press(draw::Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
  // All beats of all scenes can be played.
  for (int i = 0; i < 60; ++i) {
    driver.press(draw::Key::right);
    EXPECT_FALSE(driver.shell.opened().stage->title.empty());
  }
  EXPECT_EQ(driver.shell.opened().stage->scene, "map");
  EXPECT_TRUE(driver.shell.settings().recent.empty());  // not saved to a file yet
  driver.press(U'l');
  EXPECT_THAT(driver.shell.note().text, HasSubstr("Ctrl+S"));
  driver.walk_saved_to = (std::filesystem::path(::testing::TempDir()) / "run_panel.json.gz").string();
  driver.press(U's', true);
  driver.wait();
  EXPECT_FALSE(driver.shell.opened().document->unsaved);
  EXPECT_EQ(driver.shell.opened().document->file, driver.walk_saved_to);
  EXPECT_EQ(driver.shell.opened().view.scene, "map");  // where one was
  EXPECT_EQ(trace::read_trace(driver.walk_saved_to).trace.records.expression, "a@b");
  std::remove(driver.walk_saved_to.c_str());
}

TEST(RunPanel, WhatCannotBeRunIsNotStarted) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'x');
  driver.type(" @");
  driver.press(draw::Key::enter);
  EXPECT_FALSE(driver.shell.busy());
  EXPECT_EQ(driver.shell.sheet(), "run");
  driver.press(draw::Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_FALSE(driver.shell.opened().document->unsaved);
}

TEST(RunPanel, EscCancelsARunFirst) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'x');
  driver.press(draw::Key::tab);
  clear_field(driver);
  driver.type("4096x4096");
  driver.press(draw::Key::tab);
  driver.press(draw::Key::tab);
  clear_field(driver);
  driver.type("4096x4096");
  driver.press(draw::Key::enter);
  ASSERT_TRUE(driver.shell.busy());
  driver.press(draw::Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "run");
  driver.wait();
  EXPECT_EQ(driver.shell.note().text, "the run was cancelled");
  EXPECT_FALSE(driver.shell.opened().document->unsaved);
}

TEST(RunPanel, CpuIsAChoiceAndCudaSaysWhyNot) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'x');
  for (int i = 0; i < 6; ++i) driver.press(draw::Key::tab);  // shapes and types of a and b, the seed
  driver.press(draw::Key::right);                            // cpu
  driver.press(draw::Key::right);                            // cuda is not to be had
  for (int i = 0; i < 2; ++i) driver.press(draw::Key::tab);  // gradients, then Run
  driver.press(draw::Key::enter);
  driver.wait();
  EXPECT_TRUE(driver.shell.opened().document->unsaved) << driver.shell.note().text;
  EXPECT_TRUE(driver.shell.opened().document->trace().kernel_order.empty());
}

}  // namespace
}  // namespace warpwalk::shell
