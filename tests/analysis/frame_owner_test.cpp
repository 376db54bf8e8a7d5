// Whose code a Python frame is, by its name.
#include "core/analysis/modules/frame_owner.h"

#include <utility>

#include <gtest/gtest.h>

#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

TEST(FrameOwner, NamesAreTakenApart) {
  const auto name = parse_frame_name("torch/nn/modules/linear.py(130): forward");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->file, "torch/nn/modules/linear.py");
  EXPECT_EQ(name->line, 130);
  EXPECT_EQ(name->function, "forward");
  const auto folder = parse_frame_name("/data/run (2)/train.py(7): <module>");
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder->file, "/data/run (2)/train.py");
  EXPECT_EQ(folder->line, 7);
  for (const char* const other : {"<built-in function len>", "nn.Module: Linear_0", "train.py(): f", "(12): f", "",
                                  "a.py(99999999999999999999): f"})
    EXPECT_FALSE(parse_frame_name(other)) << other;
  EXPECT_EQ(module_name("nn.Module: Linear_0"), "Linear_0");
}

TEST(FrameOwner, LibrariesAreToldByTheirPaths) {
  const trace::Trace trace = SmallTrace().op("aten::mm", 0, 1).read();
  const FrameOwners owners(trace);
  const std::pair<const char*, FrameOwner> expected[] = {
      {"train.py(12): step", FrameOwner::user},
      {"models/resnet.py(12): forward", FrameOwner::user},
      {"/home/me/project/train.py(12): step", FrameOwner::user},
      {"/tmp/ipykernel_31/2938.py(3): f", FrameOwner::user},
      {"<ipython-input-3-0a1b>(5): f", FrameOwner::user},
      {"<stdin>(1): <module>", FrameOwner::user},
      {"<expression>(1): a @ b", FrameOwner::user},
      {"C:\\work\\train.py(3): f", FrameOwner::user},
      {"nn.Module: Linear_0", FrameOwner::module},
      {"torch/nn/modules/linear.py(130): forward", FrameOwner::runtime},
      {"/opt/conda/lib/python3.11/site-packages/torch/_ops.py(5): f", FrameOwner::runtime},
      {"/opt/conda/lib/python3.11/contextlib.py(78): inner", FrameOwner::runtime},
      {"C:\\Python311\\Lib\\contextlib.py(78): inner", FrameOwner::runtime},
      {"contextlib.py(78): inner", FrameOwner::runtime},
      {"logging/__init__.py(1776): f", FrameOwner::runtime},
      {"<frozen os>(680): __getitem__", FrameOwner::runtime},
      {"<string>(1): <lambda>", FrameOwner::runtime},
      {"<built-in method append of list object at 0x7f74bb1262c0>", FrameOwner::runtime},
      {"/tmp/torchinductor_me/xx/cxx.py(9): call", FrameOwner::runtime},
      {"transformers/trainer.py(300): training_step", FrameOwner::package},
      {"/usr/lib/python3/dist-packages/mylib/a.py(3): f", FrameOwner::package},
      {"/opt/venv/lib/python3.12/site-packages/mylib/a.py(3): f", FrameOwner::package},
      {"/usr/local/bin/torchrun(8): <module>", FrameOwner::package},
  };
  for (const auto& [name, owner] : expected) EXPECT_EQ(owners.of_text(name), owner) << name;
}

TEST(FrameOwner, TheTraceItselfTellsOfPackagesAndScripts) {
  const trace::Trace trace = SmallTrace()
                                 .frame("timm/train.py(9): <module>", 0, 100)
                                 .frame("mylib/a.py(3): f", 10, 50)
                                 .frame("/opt/venv/lib/python3.12/site-packages/mylib/b.py(4): g", 20, 10)
                                 .frame("timm/models.py(4): g", 40, 5)
                                 .read();
  const FrameOwners owners(trace);
  const auto owner_of = [&](const char* name) { return owners.of(trace.slices.name[slice_named(trace, name)]); };
  EXPECT_EQ(owner_of("timm/train.py(9): <module>"), FrameOwner::user);  // what the person started
  EXPECT_EQ(owner_of("timm/models.py(4): g"), FrameOwner::package);
  EXPECT_EQ(owner_of("mylib/a.py(3): f"), FrameOwner::package);
  EXPECT_TRUE(owners.any(FrameOwner::user));
  EXPECT_FALSE(owners.any(FrameOwner::module));
}

}  // namespace
}  // namespace warpwalk::analysis
