#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/story/facts/code/dispatch_keys.h"
#include "core/story/pictures/code.h"
#include "core/story/scenes/translator/instruction_picture.h"
#include "core/story/scenes/translator/lines_picture.h"
#include "core/trace/origin.h"

namespace warpwalk::story {

/// A stop of the way at the top of the picture: op, keys, device, kernel, machine code.
struct TranslatorStation {
  std::string name;
  std::string value;   ///< in this trace; empty if it does not say
  std::string second;  ///< the other device, under the one that is taken; empty for all other stops
  bool second_taken = false;
  bool undecided = false;  ///< the trace does not say which of the two it is
  double reached = 0;      ///< 0 not yet, 1 passed or here
  bool absent = false;     ///< not in this trace: drawn dim
  std::string note = {};   ///< then why, in place of the value; may be empty

  template <class V>
  void visit(V& v) const {
    v.data(name, value, second, second_taken, undecided, reached, absent, note);
    if (absent && !note.empty()) v.line("way: ", name, ": ", note);
    if (reached >= 1 && !value.empty())
      v.line("way: ", name, ": ", undecided ? value + " / " + second : second_taken ? second : value);
  }
};

/// Nested calls, each drawn inside the one that made it, and the work that they launch.
struct OpsPane {
  /// An input of the outermost op, drawn as an area.
  struct Operand {
    double rows = 1, columns = 1;  ///< of its last two dimensions
    std::string label;             ///< its shape

    template <class V>
    void visit(V& v) const {
      v.data(rows, columns, label);
    }
  };
  struct Row {
    std::string name;
    std::string inputs;
    std::string meaning;  ///< its part of the work
    char role = 'o';      ///< o op, l launch, g GPU work
    std::size_t depth = 0;
    double shown = 1;

    template <class V>
    void visit(V& v) const {
      v.data(name, inputs, meaning, role, depth, shown);
      if (shown > 0) v.line("step ", depth + 1, ": ", name, inputs.empty() ? "" : ", ", inputs, ": ", meaning);
    }
  };
  std::string head_inputs, head_cpu, head_gpu;
  std::vector<Operand> operands;
  std::vector<Row> rows;

  template <class V>
  void visit(V& v) const {
    v.data(head_inputs, head_cpu, head_gpu);
    v.each(operands);
    v.each(rows);
  }
};

/// The keys of one call, the highest first, and the functions registered for them.
struct KeysPane {
  struct Row {
    KeyRow key;
    std::string does;   ///< the effect in words
    double passed = 0;  ///< 1: its function was called and the key is removed

    template <class V>
    void visit(V& v) const {
      v.data(key.key, key.tensors, key.adds, key.removes, key.set, key.turn, key.function, passed, does);
    }
  };
  struct Door {
    std::string name;
    std::string meaning;
    bool taken = false;
    double open = 0;  ///< 1: the way is open; less if the trace does not say which way was taken

    template <class V>
    void visit(V& v) const {
      v.data(name, meaning, taken, open);
    }
  };
  std::string head_key, head_tensors, head_adds, head_removes, head_set, head_does, head_function;
  std::string call;  ///< the op without its namespace: it falls through the gates of the keys that are not in the set
  std::vector<Row> rows;
  bool sources = true;       ///< tensors, adds and removes are known separately; else only the set is known
  double tensors_shown = 1;  ///< how far each column is filled
  double thread_shown = 1;
  double set_shown = 1;
  double functions_shown = 0;  ///< the column of functions and, beside the table, the two ways
  double cursor = -1;          ///< the highlighted row; -1: none
  std::vector<Door> doors;
  std::string head_instances;
  std::vector<std::pair<std::string, bool>> instances;  ///< dtype, chosen
  std::string instances_note;
  std::string note;                                         ///< about the whole table
  std::string what_if;                                      ///< the end of the trace's own call
  bool set_by_person = false;                               ///< then what_if replaces the note
  std::vector<std::pair<std::string, std::string>> legend;  ///< the meaning of the columns

  template <class V>
  void visit(V& v) const {
    v.data(head_key, head_tensors, head_adds, head_removes, head_set, head_does, head_function, head_instances, call);
    v.data(instances, instances_note, note, what_if, set_by_person, legend, sources, tensors_shown, thread_shown,
           set_shown, functions_shown, cursor);
    for (const Row& row : rows) {
      v.part(row);
      if (row.key.set != Bit::off) v.line(row_text(row));
    }
    v.each(doors);
    if (set_by_person) v.line(what_if);
    if (functions_shown <= 0) return;
    for (const Door& door : doors)
      if (door.taken) v.line("door: ", door.name, ": ", door.meaning);
    for (const auto& [dtype, chosen] : instances)
      if (chosen) v.line("instance: ", dtype);
  }

 private:
  std::string row_text(const Row& row) const;
};

/// The parts of a kernel's name.
struct NamePane {
  struct Part {
    std::string text;
    std::string meaning;  ///< empty: punctuation
    bool decoded = false;

    template <class V>
    void visit(V& v) const {
      v.data(text, meaning, decoded);
      if (!meaning.empty()) v.line("part: ", text, ": ", meaning);
    }
  };
  /// The work of a block or thread that the name describes, as a drawing.
  struct Blueprint {
    // The tile of a matrix product: the result's size, and that of the part which one block computes
    std::int64_t rows = 0, columns = 0, tile_rows = 0, tile_columns = 0;
    std::string result, tile;  ///< labels of the two
    // The vectors of an elementwise kernel: elements per thread, and per vector
    std::int64_t elements = 0, width = 0;
    std::string thread;  ///< label of the vectors

    template <class V>
    void visit(V& v) const {
      v.data(rows, columns, tile_rows, tile_columns, result, tile, elements, width, thread);
    }
  };
  std::string head_part, head_meaning, head_blueprint;
  std::vector<Part> parts;             ///< together they are the name
  double progress = 1;                 ///< share of the parts with a meaning that have been explained
  std::vector<std::string> checks;     ///< the name checked against the recorded launch
  std::optional<Blueprint> blueprint;  ///< if the name says enough for one

  template <class V>
  void visit(V& v) const {
    v.data(head_part, head_meaning, head_blueprint, progress, checks);
    v.each(parts);
    v.part(blueprint);
    for (const std::string& check : checks) v.line("check: ", check);
  }
};

/// The data that the launch passes to the driver, and what the driver does with it.
struct OrderPane {
  /// The drawing on a card beside its value.
  enum class Mark : unsigned char {
    none,
    grid,     ///< the blocks of the grid: x and y
    block,    ///< the warps of a block, one line each: x is the number of threads
    shared,   ///< a block's share of the shared memory of an SM: x of y bytes
    pointers  ///< parameters, one cell each: x of them
  };
  struct Card {
    std::string name;
    std::string value;  ///< empty if `missing` gives the reason, or if there is nothing to give
    std::string meaning;
    std::string missing;  ///< "not recorded"
    trace::Origin origin = trace::Origin::measured;
    Mark mark = Mark::none;
    std::int64_t x = 0, y = 0;  ///< of the mark

    template <class V>
    void visit(V& v) const {
      v.data(name, value, meaning, missing, origin, mark, x, y);
      v.line(name, ": ", value.empty() ? missing : value, value.empty() && missing.empty() ? "" : ": ", meaning);
    }
  };
  std::string command;  ///< kernel<<<...>>>(...)
  std::vector<Card> cards;
  std::string head_driver;
  std::vector<Card> driver;
  double progress = 1;

  template <class V>
  void visit(V& v) const {
    v.data(command, head_driver, progress);
    v.line("order: ", command);
    v.each(cards);
    v.each(driver);
  }
};

struct TranslatorPicture {
  std::vector<TranslatorStation> stations;
  double packet = 0;  ///< position of the packet on the way, in stations
  double opened = 1;  ///< of the pane, which opens out of the station that the packet reached
  std::optional<OpsPane> ops;
  std::optional<KeysPane> keys;
  std::optional<NamePane> name;
  std::optional<OrderPane> order;
  std::optional<CodePicture> code;
  std::optional<InstructionPane> instruction;
  std::optional<LinesPane> lines;
  double ops_shown = 0, keys_shown = 0, name_shown = 0, order_shown = 0, code_shown = 0, instruction_shown = 0,
         lines_shown = 0;

  template <class V>
  void visit(V& v) const {
    v.data(packet, opened);
    v.each(stations);
    if (v.on_screen(ops_shown)) v.part(ops);
    if (v.on_screen(keys_shown)) v.part(keys);
    if (v.on_screen(name_shown)) v.part(name);
    if (v.on_screen(order_shown)) v.part(order);
    if (v.on_screen(code_shown)) v.part(code);
    if (v.on_screen(instruction_shown)) v.part(instruction);
    if (v.on_screen(lines_shown)) v.part(lines);
  }
};

}  // namespace warpwalk::story
