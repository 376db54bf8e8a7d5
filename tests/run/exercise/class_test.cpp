// A class's submissions as platforms pack them: who sent what, class lists, copies, and what helps with a source.
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/platform/temporary_folder.h"
#include "core/run/exercise/class_folder.h"
#include "core/run/exercise/compile_help.h"
#include "core/run/exercise/grade_report.h"
#include "core/run/exercise/roster.h"
#include "core/run/exercise/same_code.h"

namespace warpwalk::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* source = "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n";

class ClassFolder : public ::testing::Test {
 protected:
  void file(const std::string& name, std::string_view text) {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::vector<Attempt> read() {
    Exercise exercise;
    exercise.name = "twice";
    exercise.kernel = "twice";
    auto attempts = read_class({folder_.path()}, exercise);
    EXPECT_TRUE(attempts) << attempts.error();
    return attempts ? *std::move(attempts) : std::vector<Attempt>();
  }
  platform::TemporaryFolder folder_;
};

TEST(Senders, AreInMoodlesAndCanvasNames) {
  const auto moodle = sender_in("Jane van Doe_4711_assignsubmission_file_");
  ASSERT_TRUE(moodle);
  EXPECT_EQ(moodle->name, "Jane van Doe");
  EXPECT_EQ(moodle->id, "4711");
  EXPECT_EQ(sender_in("Participant_4711_assignsubmission_file")->name, "Participant 4711");
  EXPECT_EQ(sender_in("Jane_Doe_4711_assignsubmission_file_kernel.cu")->name, "Jane_Doe");
  const auto canvas = sender_in("doejane_LATE_12_345_kernel-1.cu");
  ASSERT_TRUE(canvas);
  EXPECT_EQ(canvas->name, "doejane");
  EXPECT_EQ(canvas->id, "12");
  EXPECT_TRUE(canvas->late);
  EXPECT_FALSE(sender_in("doejane_12_345_kernel.cu")->late);
  // The end of a name is the student's: it cannot name another one.
  EXPECT_EQ(sender_in("Jane Doe_4711_assignsubmission_file_a_4712_assignsubmission_file_k.cu")->id, "4711");
  for (const char* other : {"kernel.cu", "my_kernel_v2.cu", "submissions", "_1_2_x"})
    EXPECT_FALSE(sender_in(other)) << other;
}

TEST_F(ClassFolder, MoodleHasAFolderForEachStudent) {
  file("Ada_1_assignsubmission_file_/kernel.cu", source);
  file("Ada_1_assignsubmission_file_/notes.pdf", "%PDF");
  file("Bob_2_assignsubmission_file_/work/deep/kernel.CU", source);
  file("Eve_3_assignsubmission_file_/solution.py", "import torch\n");
  file("Eve_3_assignsubmission_file_/.DS_Store", "x");
  file("__MACOSX/Eve_3_assignsubmission_file_/._solution.py", "x");
  const std::vector<Attempt> all = read();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].student, "Ada");
  EXPECT_EQ(all[0].id, "1");
  EXPECT_EQ(all[0].source, source);
  EXPECT_EQ(all[1].student, "Bob");
  EXPECT_EQ(all[1].source, source);
  EXPECT_EQ(all[2].student, "Eve");
  EXPECT_THAT(all[2].trouble, HasSubstr("solution.py is neither CUDA C++ nor PTX"));
}

TEST_F(ClassFolder, AStudentIsOneRowWhateverTheFoldersAreCalled) {
  file("26/Ada_1_assignsubmission_file_/k.cu", source);
  file("26/Ada_1_assignsubmission_onlinetext_/onlinetext.html", "<p>done</p>");
  file("26/6/k.cu", source);
  file("26/26/k.cu", "// twice, but no kernel\n");
  file("26/26/readme.txt", "my kernel is called twice\n");
  Exercise exercise;
  exercise.name = exercise.kernel = "twice";
  const auto all = read_class({folder_.path() / "26"}, exercise);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3u);
  std::vector<std::string> students;
  for (const Attempt& one : *all) students.push_back(one.student);
  EXPECT_THAT(students, ::testing::UnorderedElementsAre("Ada", "6", "26"));
  for (const Attempt& one : *all) {
    if (one.student == "26") EXPECT_EQ(one.file.filename(), "k.cu");
    if (one.student == "Ada") EXPECT_EQ(one.source, source);
  }
  // The shell's `class/*` names the folders of students.
  const auto named = read_class({folder_.path() / "26/Ada_1_assignsubmission_file_/"}, exercise);
  ASSERT_TRUE(named);
  EXPECT_EQ(named->front().id, "1");
}

// What a student copied from the window and pasted into a form.
TEST_F(ClassFolder, AnAttemptMayBePastedAsText) {
  Attempt attempt;
  attempt.exercise = "twice";
  attempt.student = "Ada L.";
  attempt.time = "2026-11-28T10:15:00Z";
  attempt.source = source;
  const std::string word = attempt_text(attempt);
  EXPECT_EQ(word.find_first_of(" \n\t\"'<>&+/="), std::string::npos);
  attempt.exercise = "race";
  const std::string other = attempt_text(attempt);
  std::string wrapped = word;
  for (std::size_t at = 60; at < wrapped.size(); at += 60) wrapped.insert(at, "\r\n");
  file("Ada_1_assignsubmission_onlinetext_/onlinetext.html", "<p>Hello, mine: " + word + "</p>");
  file("Bob_2_assignsubmission_onlinetext_/onlinetext.html", "<p>" + word.substr(0, word.size() / 2) + "</p>");
  file("Cy_3_assignsubmission_onlinetext_/onlinetext.html", other);
  file("eve.txt", wrapped);
  std::string changed = word;
  changed[changed.size() - 9] = changed[changed.size() - 9] == 'x' ? 'y' : 'x';
  file("fay.txt", changed);
  file("gus.txt", "warpwalk-attempt.99999999999.abc~");
  file("hal.txt", "warpwalk-attempt.x.abc~");
  const std::vector<Attempt> all = read();
  ASSERT_EQ(all.size(), 7u);
  EXPECT_EQ(all[0].source, source);
  EXPECT_EQ(all[0].student, "Ada");  // the platform knows whose it is
  EXPECT_EQ(all[0].time, "2026-11-28T10:15:00Z");
  EXPECT_THAT(all[1].trouble, HasSubstr("cannot be read: its end is missing. Copy it again."));
  EXPECT_THAT(all[2].trouble, HasSubstr("It is an attempt of race, not of twice"));
  EXPECT_EQ(all[3].source, source);
  EXPECT_EQ(all[3].student, "Ada L.");
  EXPECT_THAT(all[4].trouble, HasSubstr("it is damaged"));
  EXPECT_THAT(all[5].trouble, HasSubstr("it holds more than"));
  EXPECT_THAT(all[6].trouble, HasSubstr("it is damaged"));
}

TEST_F(ClassFolder, CanvasHasOneFolderAndTheLastVersionCounts) {
  file("adalove_12_345_kernel.cu", "// old\n");
  file("adalove_12_346_kernel-1.cu", source);
  file("bobbrown_LATE_13_347_kernel.txt", source);
  const std::vector<Attempt> all = read();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].source, source);
  EXPECT_EQ(all[1].student, "bobbrown");
  EXPECT_TRUE(all[1].late);
  EXPECT_EQ(all[1].source, source);
}

TEST_F(ClassFolder, EveryFileIsARowWhateverItIs) {
  file("empty.cu", " \n");
  file("huge.cu", std::string(400 << 10, ' '));
  file("binary.cu", std::string("\x7f\x45\x4c\x46\0\0\1\2 text behind it that is long enough", 42));
  file("damaged.json", "{\"source\": 1}");
  file("other.json", R"({"warpwalk_attempt": 1, "exercise": "race", "student": "C", "time": "", "source": "x"})");
  file("picture.png", "png");
  std::vector<std::string> troubles;
  for (const Attempt& one : read()) troubles.push_back(one.trouble);
  EXPECT_THAT(troubles, ElementsAre(HasSubstr("is not a text"), HasSubstr("is not an attempt that warpwalk exported"),
                                    HasSubstr("empty.cu is empty"), HasSubstr("huge.cu has 400 KiB"),
                                    HasSubstr("It is an attempt of race, not of twice"),
                                    HasSubstr("picture.png is neither CUDA C++ nor PTX")));
  Exercise exercise;
  EXPECT_THAT(read_class({folder_.path() / "none"}, exercise).error(), HasSubstr("there is no such file"));
}

TEST(SourceText, IsReadInTheEncodingsOfEditors) {
  const std::string plain = "// \xc3\xa9\nint x;\n";
  EXPECT_EQ(*source_text(plain), plain);
  EXPECT_EQ(*source_text("\xef\xbb\xbf" + plain), plain);
  EXPECT_EQ(*source_text("// \xc3\xa9\r\nint x;\r\n"), plain);
  EXPECT_EQ(*source_text("// \xc3\xa9\rint x;\r"), plain);
  EXPECT_EQ(*source_text("// \xe9\nint x;\n"), plain);  // Latin-1
  std::string little = "\xff\xfe", big = "\xfe\xff", unmarked;
  for (const char c : std::string("// \xe9\nint x;\n")) {
    little += c;
    little += '\0';
    big += '\0';
    big += c;
    unmarked += c;
    unmarked += '\0';
  }
  EXPECT_EQ(*source_text(little), plain);
  EXPECT_EQ(*source_text(big), plain);
  EXPECT_EQ(*source_text(unmarked), plain);
  EXPECT_FALSE(source_text(std::string("\x01\x02\0\x03 a picture", 14)));
}

TEST_F(ClassFolder, AListGivesNamesIdsAndWhoIsMissing) {
  file("list.csv",
       "Identifier,Full name,Email address,Grade,Last modified (grade)\n"
       "Participant 4711,\"Doe, Jane\",jane@example.org,,-\n"
       "Participant 4712,Bob Brown,bob@example.org,,-\nParticipant 4713,Eve Green,,,\n");
  const auto roster = read_roster(folder_.path() / "list.csv");
  ASSERT_TRUE(roster) << roster.error();
  std::vector<Attempt> attempts(3);
  attempts[0].student = "doejane";
  attempts[1].student = "somebody";
  attempts[1].id = "4713";
  attempts[2].student = "Nobody Known";
  take_roster(*roster, attempts);
  ASSERT_EQ(attempts.size(), 4u);
  EXPECT_EQ(attempts[0].student, "Doe, Jane");
  EXPECT_EQ(attempts[0].id, "4711");
  EXPECT_EQ(attempts[1].student, "Eve Green");
  EXPECT_EQ(attempts[2].student, "Nobody Known");
  EXPECT_EQ(attempts[3].student, "Bob Brown");
  EXPECT_EQ(attempts[3].trouble, "Nothing was handed in.");
  // Numbers from another list are not those of the platform, so they do not identify a student.
  file("own.csv", "name, id\nJane Doe,AB12\nBob Brown,4713\n");
  const auto own = read_roster(folder_.path() / "own.csv");
  ASSERT_TRUE(own);
  EXPECT_EQ(own->front().id, "AB12");
  std::vector<Attempt> again(1);
  again[0].student = "Jane Doe";
  again[0].id = "4713";
  take_roster(*own, again);
  EXPECT_EQ(again[0].student, "Jane Doe");
  EXPECT_EQ(again[0].id, "4713");
  file("canvas.csv",
       "\xef\xbb\xbfStudent;ID;SIS User ID;SIS Login ID;Section\n    Points Possible;;;;\n"
       "\"Doe, Jane\";12;s12;jd;\"A; B\"\n\"Student, Test\";99;;;\n");
  const auto canvas = read_roster(folder_.path() / "canvas.csv");
  ASSERT_TRUE(canvas);
  ASSERT_EQ(canvas->size(), 1u);
  EXPECT_EQ(canvas->front().section, "A; B");
  EXPECT_EQ(canvas->front().sis_login, "jd");
  file("bad.csv", "a,b\n1,2\n");
  EXPECT_THAT(read_roster(folder_.path() / "bad.csv").error(), HasSubstr("line 1 has no column of names"));
}

TEST(SameCode, IsFoundAfterRenamingAndReformatting) {
  const std::string one =
      "__global__ void k(float* a, int n) {\n  int i = threadIdx.x; // index\n  if (i < n) a[i] *= 2.0f;\n}\n";
  const std::string renamed =
      "__global__ void k(float *data,int count){/* mine */int index=threadIdx.x;\nif(index<count)data[index]*=2.0f;}";
  const std::string other =
      "__global__ void k(float* a, int n) {\n  int i = threadIdx.y;\n  if (i < n) a[i] *= 2.0f;\n}\n";
  const std::string starter = "__global__ void k(float* a, int n) {}\n";
  const auto same = same_code({one, starter, renamed, other, starter, ""}, starter);
  EXPECT_THAT(same[0], ElementsAre(2u));
  EXPECT_THAT(same[2], ElementsAre(0u));
  for (const std::size_t alone : {1, 3, 4, 5}) EXPECT_THAT(same[alone], IsEmpty()) << alone;
}

TEST(CompileHelp, SaysWhatToDo) {
  const std::string text = "#include <cstdio>\nfloat square(float x) { return x * x; }\nint main() { return 0; }\n";
  EXPECT_THAT(
      compile_help(text, "cannot open source file \"cstdio\"", 1),
      HasSubstr("Line 1 includes <cstdio>, which is for programs on the CPU. Delete the line: in a kernel, printf"));
  EXPECT_THAT(compile_help(text, "'vector' file not found", 4), HasSubstr("<vector>"));
  EXPECT_THAT(compile_help(text, "'mma2.h' file not found", 4), HasSubstr("includes <mma2.h>, which is not there"));
  EXPECT_EQ(compile_help(text, "cannot open source file \"cuda/std/type_traits\"", 0), "");  // of another header
  EXPECT_EQ(kernel_help("__global__ void __cluster_dims__(2, 1, 1) twice(float* x) {}", "twice"), "");
  const std::string nvrtc =
      "A function without execution space annotations (__host__/__device__/__global__) is considered";
  EXPECT_THAT(compile_help(text, nvrtc, 2),
              HasSubstr("square is a function for the CPU. Write __device__ before its type"));
  EXPECT_THAT(compile_help(text, nvrtc, 3), HasSubstr("main(), which is for the CPU. Hand in the kernel alone"));
  EXPECT_THAT(compile_help(text, "reference to __host__ function 'square' in __global__ function", 9),
              HasSubstr("square is a function for the CPU"));
  EXPECT_EQ(compile_help(text, "identifier \"y\" is undefined", 2), "");
  EXPECT_EQ(kernel_help("__global__ void __launch_bounds__(256) twice(float* x) {}", "twice"), "");
  EXPECT_EQ(kernel_help("template <int n>\n__global__ void\ntwice (float* x) {}", "twice"), "");
  EXPECT_THAT(kernel_help("__global__ void mine(float* x) {}", "twice"),
              HasSubstr("The kernel has to be called twice; the source has mine."));
  EXPECT_THAT(kernel_help("import torch", "twice"), HasSubstr("The source has no kernel"));
  for (const char* odd : {"__global__", "__global__ void __launch_bounds__(", "__global__ (", "__global____global__"})
    EXPECT_THAT(kernel_help(odd, "twice"), HasSubstr("kernel")) << odd;
}

TEST(GradeTables, AreThoseThatPlatformsImport) {
  Exercise exercise;
  exercise.title = "Twice, or more";
  Grade half;
  for (const bool passed : {true, false}) {
    Verdict& verdict = half.verdicts.emplace_back();
    verdict.criterion = "compiles";
    verdict.passed = passed;
    verdict.reason = passed ? "" : "Line 1: \"x\" is not known.";
  }
  GradeReport report{exercise, "H200", 1, {}, {}, 10, ""};
  GradedAttempt jane{{"", "Jane Doe", "", "x", "doejane_12_345_kernel.cu"}, half, 1, {}};
  jane.attempt.id = "12";
  GradedAttempt absent{{"", "Bob Brown", "", "", ""}, half, 0, {}};
  absent.attempt.id = "13";
  absent.attempt.trouble = "Nothing was handed in.";
  report.attempts = {jane, absent};
  const std::vector<RosterRow> roster = {{"Jane Doe", "12", "", "Monday, 1 December 2026, 10:00 AM", "s12", "jd", "A"}};
  EXPECT_EQ(
      report_moodle(report, roster),
      "Identifier,Full name,Grade,Maximum Grade,Last modified (grade),Feedback comments\n"
      "Participant 12,Jane Doe,5,10,\"Monday, 1 December 2026, 10:00 AM\",\"Twice, or more: 5 of 10 points, 1 of 2 "
      "criteria\n[x] it compiles\n[ ] it compiles: Line 1: \"\"x\"\" is not known.\n\"\n"
      "Participant 13,Bob Brown,,10,-,\n");
  EXPECT_EQ(report_canvas(report, roster),
            "Student,ID,SIS User ID,SIS Login ID,Section,\"Twice, or more\"\n"
            "    Points Possible,,,,,10\nJane Doe,12,s12,jd,A,5\nBob Brown,13,,,,\n");
  EXPECT_EQ(feedback_name(jane), "Jane Doe_12_assignfeedback_file_feedback.txt");
  jane.attempt.platform = LearningPlatform::canvas;
  EXPECT_EQ(feedback_name(jane), "doejane_12_345_kernel.txt");
  EXPECT_EQ(feedback_name(absent), "Bob Brown_13_assignfeedback_file_feedback.txt");
  absent.attempt.student = std::string(300, 'x');
  absent.attempt.id = "2026/13";
  EXPECT_EQ(feedback_name(absent), std::string(120, 'x') + "_2026_13_assignfeedback_file_feedback.txt");
}

}  // namespace
}  // namespace warpwalk::run
