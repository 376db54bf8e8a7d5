#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/visit.h"
#include "core/trace/origin.h"

namespace warpwalk::story {

/// The machine code with its scheduling, its registers and the constants that it reads, around one instruction.
struct InstructionPane {
  /// The relation of a row to the selected instruction.
  enum class Part : unsigned char { none, selected, setter, producer };

  struct Row {
    std::int64_t number = 0;  ///< of the instruction, from 0
    std::string address, text;
    std::string stall;               ///< cycles; empty for an instruction that is not known
    bool yields = false;             ///< the scheduler prefers another warp next
    std::uint32_t waits = 0;         ///< bit i: waits for barrier i
    std::string write_barrier = {};  ///< the barrier that is released when its result is written; may be empty
    std::string read_barrier = {};   ///< when its operands have been read
    bool reuses = false;             ///< operands stay in the operand cache
    std::size_t live = 0;            ///< general registers occupied
    bool lit = false;                ///< comes from the followed line of source
    bool used = true;                ///< false for padding that is never reached
    Part part = Part::none;
    std::string relation = {};  ///< "sets barrier 0", "writes R2"
    std::string tip = {};       ///< the opcode, its modifiers and the control codes in words

    template <class V>
    void visit(V& v) const {
      v.data(number, address, text, stall, yields, waits, write_barrier, read_barrier, reuses, live, lit, used, part);
      v.data(relation, tip);
      if (part != Part::none) v.line(address, ": ", text, relation.empty() ? "" : ": ", relation, ", live ", live);
    }
  };

  enum class Use : unsigned char { free, live, read, written, read_written };
  /// Registers of one kind, and what the selected instruction does with them.
  struct Registers {
    std::string name;
    std::vector<std::pair<std::string, Use>> cells;

    template <class V>
    void visit(V& v) const {
      v.data(name, cells);
      std::string text;
      for (const auto& [cell, use] : cells)
        if (use != Use::free)
          text += " " + cell +
                  (use == Use::written        ? "^"
                   : use == Use::read         ? "v"
                   : use == Use::read_written ? "x"
                                              : "");
      if (!text.empty()) v.line(name, ":", text);
    }
  };

  struct Constant {
    std::string place;  ///< "0x210"
    std::string name;
    std::string value;  ///< empty if it is not known
    std::string missing;
    trace::Origin origin = trace::Origin::derived;
    bool read = false;  ///< by the selected instruction

    template <class V>
    void visit(V& v) const {
      v.data(place, name, value, missing, origin, read);
      v.line(place, ": ", name, ": ", value.empty() ? missing : value, read ? " (read)" : "");
    }
  };

  std::string missing;  ///< in place of everything else
  std::string head_code, head_note;
  std::string legend;  ///< what the columns after the text mean
  /// The columns after the text: stall, yield, wait, write, read, reuse, live. Name and explanation.
  std::vector<std::pair<std::string, std::string>> columns;
  std::vector<Row> rows;      ///< a part of the code around the selected instruction
  std::size_t focus = 0;      ///< the selected one among the rows
  std::int64_t count = 0;     ///< instructions in all
  std::size_t peak = 0;       ///< most general registers live at once
  std::string peak_address;   ///< the first instruction where they are
  std::size_t allocated = 0;  ///< general registers per thread, as the cubin says
  std::string control;        ///< set by choosing an instruction

  std::string selected;  ///< its text
  std::string does;      ///< the opcode's sentence
  std::vector<std::pair<std::string, std::string>> modifiers;
  std::vector<std::string> schedule;  ///< the control codes in sentences
  std::string head_registers, peak_note;
  std::vector<Registers> registers;
  std::vector<std::string> uses;  ///< a phrase for each Use
  std::string head_constants;
  std::string more_constants;  ///< before the number of constants that do not fit
  std::vector<Constant> constants;

  template <class V>
  void visit(V& v) const {
    v.data(missing, head_code, head_note, legend, columns, focus, count, peak, control, selected, does, modifiers,
           schedule);
    v.data(head_registers, uses, peak_note, head_constants, more_constants);
    if (!missing.empty()) return v.line(missing);
    v.each(rows);
    v.line(selected, does.empty() ? "" : ": ", does);
    for (const auto& [modifier, meaning] : modifiers) v.line(modifier, ": ", meaning);
    for (const std::string& sentence : schedule) v.line(sentence);
    v.line(peak_note);
    v.each(registers);
    v.each(constants);
  }
};

}  // namespace warpwalk::story
