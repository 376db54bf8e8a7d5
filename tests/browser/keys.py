"""The keys of a US keyboard, as the DevTools protocol and WebDriver name them."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}  # bits of the DevTools protocol


class Key(NamedTuple):
    name: str  # KeyboardEvent.key
    code: str  # KeyboardEvent.code
    virtual: int  # KeyboardEvent.keyCode
    webdriver: str  # the character that stands for the key in WebDriver
    text: str = ""  # what it types
    shifted: bool = False  # whether it needs Shift


NAMED = {name: Key(name, name, virtual, chr(0xE000 + point), text) for name, virtual, point, text in (
    ("Enter", 13, 0x06, "\r"), ("Tab", 9, 0x04, ""), ("Escape", 27, 0x0C, ""), ("Backspace", 8, 0x03, ""),
    ("Delete", 46, 0x17, ""), ("Insert", 45, 0x16, ""), ("Home", 36, 0x11, ""), ("End", 35, 0x10, ""),
    ("PageUp", 33, 0x0E, ""), ("PageDown", 34, 0x0F, ""), ("ArrowLeft", 37, 0x12, ""),
    ("ArrowUp", 38, 0x13, ""), ("ArrowRight", 39, 0x14, ""), ("ArrowDown", 40, 0x15, ""),
    *((f"F{number}", 111 + number, 0x30 + number, "") for number in range(1, 13)))}
NAMED |= {name: Key(name, f"{name}Left", virtual, chr(0xE000 + point)) for name, virtual, point in (
    ("Shift", 16, 0x08), ("Control", 17, 0x09), ("Alt", 18, 0x0A), ("Meta", 91, 0x3D))}

PLAIN = "`1234567890-=[]\\;',./"
SHIFTED = "~!@#$%^&*()_+{}|:\"<>?"
CODES = ["Backquote", *(f"Digit{digit}" for digit in "1234567890"), "Minus", "Equal", "BracketLeft",
         "BracketRight", "Backslash", "Semicolon", "Quote", "Comma", "Period", "Slash"]
VIRTUAL = [192, *b"1234567890", 189, 187, 219, 221, 220, 186, 222, 188, 190, 191]


def key_of(name: str, shift: bool) -> Key:
    """The key that has this name or types this character. With `shift`, 'a' is 'A' and '/' is '?'."""
    if name in NAMED:
        return NAMED[name]
    if len(name) != 1:
        raise ValueError(f"no key is named {name!r}")
    if shift:
        name = SHIFTED[PLAIN.index(name)] if name in PLAIN else name.upper()
    for row in (PLAIN, SHIFTED):
        if name in row:
            place = row.index(name)
            return Key(name, CODES[place], VIRTUAL[place], name, name, row is SHIFTED)
    if name.isascii() and name.isalpha():
        return Key(name, f"Key{name.upper()}", ord(name.upper()), name, name, name.isupper())
    return Key(name, "Space" if name == " " else "", 32 if name == " " else 0, name, name)


def chord(name: str, modifiers: Sequence[str]) -> list[Key]:
    """The keys to press in this order, modifiers first. Shift is added for a character that needs it."""
    if unknown := set(modifiers) - set(MODIFIERS):
        raise ValueError(f"not modifiers: {', '.join(sorted(unknown))}")
    key = key_of(name, "Shift" in modifiers)
    held = [*modifiers, "Shift"] if key.shifted and "Shift" not in modifiers else modifiers
    return [*(NAMED[modifier] for modifier in held), key]
