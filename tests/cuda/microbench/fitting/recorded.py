"""The recordings of the microbenchmarks, by row."""
import csv
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
    """Rows are asked for by file, topic, name and parameters. `used` collects the rows since it was last emptied."""

    def __init__(self):
        self.rows = {}
        self.used = []
        for file in sorted((HERE / "recordings").glob("*.csv")):
            with open(file, newline="") as lines:
                for row in csv.DictReader(lines):
                    self.rows[file.stem, row["topic"], row["name"], row["parameters"]] = numbers(row["value"])
        with open(ROOT / "tests/validate/empty/h200_measured.csv", newline="") as lines:
            for row in csv.DictReader(lines):
                self.rows["tests/validate/empty", "cycles", row["case"], ""] = numbers(row["cycles_elapsed"])
        self.device = {name: parameter["value"] for name, parameter in
                       json.loads(DEVICE.read_text())["parameters"].items()}

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
