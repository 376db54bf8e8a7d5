"""The recordings of the microbenchmarks, by row."""
import csv
import gzip
import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent.parent
DEVICE = ROOT / "assets/devices/h200.json"


def numbers(text):
    """Nothing for texts."""
    words = text.split()
    return [float(word) for word in words] if words and re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", words[0]) else []


class Recordings:
    """Rows are asked for by file, topic, name and parameters. `used` collects the rows since it was last emptied.
    `device` has the parameters' values."""

    def __init__(self, parameters, folder=HERE / "recordings", empty=ROOT / "tests/validate/empty/h200_measured.csv"):
        self.rows = {}
        self.used = []
        for file in sorted([*folder.glob("*.csv"), *folder.glob("*.csv.gz")]):
            with (gzip.open if file.suffix == ".gz" else open)(file, "rt", newline="") as lines:
                for row in csv.DictReader(lines):
                    if "topic" in row:
                        key = file.name.partition(".")[0], row["topic"], row["name"], row["parameters"]
                        self.rows[key] = numbers(row["value"])
        if empty.exists():
            with open(empty, newline="") as lines:
                for row in csv.DictReader(lines):
                    self.rows["tests/validate/empty", "cycles", row["case"], ""] = numbers(row["cycles_elapsed"])
        self.device = {name: parameter["value"] for name, parameter in parameters.items()}

    def has(self, *key):
        return bool(self.rows.get(key))

    def text(self, file, name):
        """The text that a row has in place of parameters; empty if there is no such row."""
        return next((key[3] for key in self.rows if key[:3] == (file, file, name)), "")

    def values(self, *key):
        """The numbers of a row; some have one per line of memory."""
        self.used.append(" ".join(key).strip())
        return self.rows[key]

    def value(self, file, topic, name, parameters=""):
        return self.values(file, topic, name, parameters)[0]

    def matching(self, file, topic, name, parameters):
        """The numbers of each row whose name and parameters match the regular expressions."""
        found = [numbers for key, numbers in self.rows.items() if key[:2] == (file, topic)
                 and re.fullmatch(name, key[2]) and re.fullmatch(parameters, key[3])]
        self.used.append(f"{file} {topic} {name} {parameters} ({len(found)} rows)")
        return found
