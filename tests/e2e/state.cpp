#include "tests/e2e/state.h"

#include <ostream>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

std::string text_at(const rapidjson::Document& from, const char* key) {
  return from.HasMember(key) && from[key].IsString() ? from[key].GetString() : "";
}
int number_at(const rapidjson::Document& from, const char* key) {
  return from.HasMember(key) && from[key].IsInt() ? from[key].GetInt() : 0;
}
bool truth_at(const rapidjson::Document& from, const char* key) {
  return from.HasMember(key) && from[key].IsBool() && from[key].GetBool();
}

}  // namespace

std::optional<State> last_state(const std::filesystem::path& file) {
  std::string text = text_of(file);
  const std::size_t end = text.rfind('\n');
  if (end == std::string::npos) return {};
  text.resize(end);
  const std::size_t start = text.rfind('\n');
  if (start != std::string::npos) text.erase(0, start + 1);
  rapidjson::Document line;
  if (line.Parse(text.c_str()).HasParseError() || !line.IsObject()) return {};
  State state;
  state.file = text_at(line, "file");
  state.follow = text_at(line, "follow");
  state.scene = text_at(line, "scene");
  state.title = text_at(line, "title");
  state.at = text_at(line, "at");
  state.beat = number_at(line, "beat");
  state.beats = number_at(line, "beats");
  state.moving = truth_at(line, "moving");
  state.note = text_at(line, "note");
  state.note_kind = text_at(line, "note_kind");
  state.folder = text_at(line, "folder");
  state.presenting = truth_at(line, "presenting");
  state.full_screen = truth_at(line, "full_screen");
  state.lecturer = truth_at(line, "lecturer");
  state.lecturer_shows = text_at(line, "lecturer_shows");
  state.notes = truth_at(line, "notes");
  state.panels = truth_at(line, "panels");
  state.busy = truth_at(line, "busy");
  state.blank = truth_at(line, "blank");
  state.sheet = text_at(line, "sheet");
  state.theme = text_at(line, "theme");
  state.names = text_at(line, "names");
  state.search = text_at(line, "search");
  state.rows = number_at(line, "rows");
  state.focus = text_at(line, "focus");
  state.run = text_at(line, "run");
  state.run_on = text_at(line, "run_on");
  state.run_said = text_at(line, "run_said");
  state.lab_file = text_at(line, "lab_file");
  state.lab_said = text_at(line, "lab_said");
  state.lab_bytes = number_at(line, "lab_bytes");
  state.lab_findings = number_at(line, "lab_findings");
  state.draft_steps = number_at(line, "draft_steps");
  state.draft_at = number_at(line, "draft_at");
  state.draft_unsaved = truth_at(line, "draft_unsaved");
  state.draft_said = text_at(line, "draft_said");
  state.draft_focus = text_at(line, "draft_focus");
  state.lesson = text_at(line, "lesson");
  state.lesson_step = number_at(line, "lesson_step");
  state.no_cuda = text_at(line, "no_cuda");
  state.question = text_at(line, "question");
  state.question_state = text_at(line, "question_state");
  state.question_option = number_at(line, "question_option");
  state.questions = truth_at(line, "questions");
  if (const auto controls = line.FindMember("controls"); controls != line.MemberEnd()) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    controls->value.Accept(writer);
    state.controls = buffer.GetString();
  }
  return state;
}

std::ostream& operator<<(std::ostream& out, const State& state) {
  return out << state.place() << " \"" << state.title << "\" " << state.at << " of " << state.beats
             << (state.moving ? ", moving" : "") << (state.presenting ? ", presenting" : "")
             << (state.full_screen ? ", full screen" : "") << (state.lecturer ? ", lecturer" : "")
             << (state.blank ? ", blank" : "") << ", sheet \"" << state.sheet << "\", " << state.theme << ", names "
             << state.names << ", search \"" << state.search << "\" leaves " << state.rows << ", focus " << state.focus
             << ", controls " << state.controls << ", lesson \"" << state.lesson << "\" " << state.lesson_step
             << ", composed " << state.draft_at << " of " << state.draft_steps << " \"" << state.draft_said
             << "\", run " << state.run << " on " << state.run_on << ": \"" << state.run_said << "\", no cuda: \""
             << state.no_cuda << "\""
             << ", note \"" << state.note << "\"";
}

}  // namespace warpwalk::testing
