// Whether there is a GPU to run on, as reported by doctor; a script replaces the program.
#include "app/runs/cuda_availability.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/shell/driver.h"
#include "tests/shell/fake_program.h"

namespace warpwalk::runs {
namespace {

using shell::FakeProgram;

void wait_for(CudaAvailability& look) {
  while (look.busy()) {
    look.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

NoCuda found_with(const std::string& doctor) {
  const FakeProgram program("", doctor);
  CudaAvailability look(program.path(), shell::english());
  EXPECT_EQ(look.found().why, "looking for a GPU");
  look.start();
  wait_for(look);
  return look.found();
}

std::string report(const std::string& checks) { return "echo '{\"checks\": [" + checks + "]}' > \"$report\"\n"; }

std::string check(const std::string& name, bool ok, const std::string& found) {
  return R"({"name": ")" + name + R"(", "ok": )" + (ok ? "true" : "false") + R"(, "found": ")" + found +
         R"(", "costs": "cost of )" + name + "\"}";
}

TEST(CudaAvailability, WhereAllIsThereNothingIsSaid) { EXPECT_EQ(found_with(FakeProgram::all_is_there), NoCuda()); }

TEST(CudaAvailability, TheFirstThatIsMissingIsSaidInAFewWords) {
  EXPECT_EQ(found_with(report(check("driver", false, "libcuda.so.1 not found") + "," + check("kernels", true, "x"))),
            (NoCuda{"no usable GPU (libcuda.so.1 not found)", "cost of driver"}));
  EXPECT_EQ(found_with(report(check("driver", false, "x") + "," + check("kernels", false, "not beside the program"))),
            (NoCuda{"no CUDA kernels built (not beside the program)", "cost of kernels"}));
  EXPECT_EQ(found_with(report(check("CUPTI", false, "libcupti.so.13 not found"))).why,
            "no CUPTI (libcupti.so.13 not found)");
  EXPECT_EQ(found_with(report(check("CUPTI", false, "x") + "," + check("recorder", false, "y"))).why,
            "warpwalk's libraries are missing (y)");
}

TEST(CudaAvailability, WhereDoctorSaysNothingTheRunWill) {
  for (const char* doctor : {"exit 1\n", "echo garbage > \"$report\"\n", "echo '[]' > \"$report\"\n", "kill -SEGV $$\n",
                             "echo '{\"checks\": [3, {}, {\"name\": 3, \"ok\": false}]}' > \"$report\"\n"})
    EXPECT_EQ(found_with(doctor), NoCuda()) << doctor;
}

TEST(CudaAvailability, WithoutAProgramOrWithOneThatCannotBeStarted) {
  CudaAvailability none("", shell::english());
  none.start();
  EXPECT_FALSE(none.busy());
  EXPECT_EQ(none.found().why, "no program that can use a GPU was found");
  CudaAvailability lost("/no/such/program", shell::english());
  lost.start();
  wait_for(lost);
  EXPECT_EQ(lost.found().why, "warpwalk cannot start itself: No such file or directory");
}

TEST(CudaAvailability, LooksAgainUntilItIsThere) {
  const FakeProgram program("", "echo x >> \"$here/looks\"\nif [ ! -f \"$here/driver\" ]; then " +
                                    report(check("driver", false, "none")) + "else\n" + FakeProgram::all_is_there +
                                    "fi\n");
  CudaAvailability look(program.path(), shell::english());
  look.start();
  look.start();  // is under way
  wait_for(look);
  EXPECT_EQ(look.found().why, "no usable GPU (none)");
  EXPECT_EQ(program.text_of("looks"), "x\n");
  std::filesystem::copy_file(program.file("looks"), program.file("driver"));
  look.start();
  EXPECT_EQ(look.found().why, "no usable GPU (none)");  // until it is known better
  wait_for(look);
  EXPECT_EQ(look.found(), NoCuda());
  look.start();
  EXPECT_FALSE(look.busy());
  EXPECT_EQ(program.text_of("looks"), "x\nx\n");
}

TEST(CudaAvailability, ALookThatNeverEndsIsEnded) {
  const FakeProgram program("", "echo $$ > \"$here/number\"; exec sleep 60\n");
  {
    CudaAvailability look(program.path(), shell::english());
    look.start();
    ASSERT_TRUE(program.has_written("number"));
    look.poll();
    EXPECT_EQ(look.found().why, "looking for a GPU");
  }
  EXPECT_TRUE(program.has_ended("number"));
}

}  // namespace
}  // namespace warpwalk::runs
