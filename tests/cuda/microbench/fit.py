"""Derives timing parameters from the recordings of the microbenchmarks.

    fit.py [--write]                              those of the H200, from the folder `recordings`
    fit.py --describe ID RECORDINGS OUT.json      describes another GPU, for scripts/describe-gpu

The first form prints a table: parameter, value in assets/devices/h200.json, value derived by the rules in `fitting`, unit, rule and
recorded rows. --write puts those values that differ by more than their rule allows into the device file. The exit status
is 1 if there are such values and they are not written.

The second form writes the description of the GPU whose recordings, with empty.csv (tests/validate/record.py) and device.csv
(device.py) among them, are in the folder. What no rule derives is taken over from the H200, and its source says so.
"""
import datetime
import json
import re
import sys
from collections import Counter
from pathlib import Path

from fitting import description
from fitting import fetch_and_launch, instructions, l2_and_hbm, sm_memory  # noqa: F401: they register their rules
from fitting.recorded import DEVICE, Recordings
from fitting.rule import RULES

SOURCE = "tests/cuda/microbench"


def differs(derived, known, within):
    if isinstance(known, list):
        return derived != known
    return abs(derived - known) > within * (abs(known) or 1)


def shown(value):
    return " ".join(map(str, value)) if isinstance(value, list) else f"{value:.4g}"


def rows_shown(rows):
    rows = list(dict.fromkeys(rows))
    return "; ".join(rows[:2] + ([f"and {len(rows) - 2} more"] if len(rows) > 2 else []))


def changed(text, name, value):
    """The text of the device file with another value of a parameter, which stays whole if it was."""
    old = re.search(rf'"{name}": \{{"value": (\[[^\]]*\]|[^,]+),', text)
    if not isinstance(value, list):
        value = float(f"{value:.3g}") if "." in old[1] else round(value)
    return text[:old.start(1)] + json.dumps(value) + text[old.end(1):]


def describe(identity, folder, out):
    base = json.loads(DEVICE.read_text())
    recordings = Recordings(base["parameters"], Path(folder), Path(folder) / "empty.csv")
    name = recordings.text("device", "name")
    measured = (f"an {name} at {recordings.value('device', 'device', 'sm_clock') / 1e6:.0f} MHz, "
                f"CUDA {recordings.value('device', 'device', 'cuda')}")
    parameters, missing = description.described(base, recordings, name, measured)
    note = (f"Made by scripts/describe-gpu on {datetime.date.today()}. The SM numbers of the GPCs are those of the measured "
            "unit. Other units may have other SMs disabled.")
    Path(out).write_text(description.text_of(identity, name, note, parameters))
    status = Counter(entry["status"] for entry in parameters.values())
    print(f"{out}: {status['measured'] + status['fitted']} parameters measured, {status['spec']} specified, "
          f"{status['assumed']} assumed or taken over from the {base['name']}")
    if missing:
        print(f"taken over because their measurements are missing: {', '.join(missing)}")


def main():
    if sys.argv[1:2] == ["--describe"] and len(sys.argv) == 5:
        describe(*sys.argv[2:])
        return
    text = DEVICE.read_text()
    parameters = json.loads(text)["parameters"]
    recordings = Recordings(parameters)
    different = {}
    print(f"{'parameter':<32}{'file':>9} {'derived':>9}  unit")
    for name, (rule, within) in RULES.items():
        recordings.used = []
        known, unit, derived = parameters[name]["value"], parameters[name]["unit"], rule(recordings)
        if differs(derived, known, within):
            different[name] = derived
        print(f"{name:<32}{shown(known):>9} {shown(derived):>9}  {unit}{', DIFFERS' if name in different else ''}\n"
              f"    {rule.__doc__}\n    {rows_shown(recordings.used)}")
    print("\nNot derived here:")
    for name, known in parameters.items():
        if name not in RULES and SOURCE in known["source"] and known["status"] in ("measured", "fitted"):
            print(f"{name:<32}{shown(known['value']):>9}  {known['unit']}, {known['status']}: {known['source']}")
    if "--write" in sys.argv[1:]:
        for name, value in different.items():
            text = changed(text, name, value)
        DEVICE.write_text(text)
    elif different:
        sys.exit(1)


if __name__ == "__main__":
    main()
