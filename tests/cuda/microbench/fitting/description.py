"""The description of a GPU (assets/devices/NAME.json) from its recordings and the description of another GPU."""
import json

from fitting.rule import RULES

REPORTED = ["sm_count", "threads_per_block", "registers_per_block", "registers_per_sm", "shared_per_block",
            "shared_per_block_optin", "shared_per_sm", "shared_reserved_per_block", "blocks_per_sm", "l2_bytes",
            "memory_bytes", "sm_clock", "memory_clock"]
CHANNEL_BITS = 128  # of HBM2 and HBM3: two pseudo channels of 64 bits (JEDEC JESD238)


def rounded(value, like):
    """With three significant digits; whole if `like` is."""
    if isinstance(value, list) or isinstance(value, str):
        return value
    value = float(f"{value:.4g}")
    return round(value) if isinstance(like, int) and not isinstance(like, bool) else value


def groups_of(r):
    """GPCs and small groups: SMs that share a cluster of 4, 8 or 16 blocks share a GPC. The others are in TPCs outside of
    the GPCs, of which two form a group, as on the H200."""
    group = {sm: {sm} for sm in range(r.device["sm_count"])}
    for size in (4, 8, 16):
        for sms in r.matching("launch", "cluster", "sms", rf"size={size} cluster=\d+"):
            joined = set().union(*(group[int(sm)] for sm in sms))
            for sm in joined:
                group[sm] = joined
    gpcs = sorted({tuple(sorted(sms)) for sms in group.values() if len(sms) > 1})
    single = sorted(sm for sm, sms in group.items() if len(sms) == 1)
    small = [single[i:i + 2 * r.device["tpc_sms"]] for i in range(0, len(single), 2 * r.device["tpc_sms"])]
    return [list(gpc) for gpc in gpcs], small


def described(base, r, name, measured):
    """The parameters of the GPU. What the driver reports and what a rule derives takes the place of the value of `base`;
    a specification of the same compute capability stays; the rest is taken over and says so. `measured` names the GPU, its
    clock and its driver."""
    known = base["parameters"]
    made, missing = {}, []
    same_kind = r.text("device", "compute_capability") == known["compute_capability"]["value"]

    def put(parameter, value, status, source):
        made[parameter] = dict(known[parameter], value=value, status=status, source=source)
        r.device[parameter] = value

    put("compute_capability", r.text("device", "compute_capability"), "spec", f"reported by the driver for {measured}")
    for parameter in REPORTED:
        if r.has("device", "device", parameter, ""):
            put(parameter, int(r.value("device", "device", parameter)), "spec", f"reported by the driver for {measured}")
    if r.has("device", "device", "memory_bus_bits", ""):
        bits = int(r.value("device", "device", "memory_bus_bits"))
        put("memory_bandwidth", 2.0 * r.device["memory_clock"] * bits / 8, "spec",
            f"two transfers per clock and bit of {bits}, as the driver reports them for {measured}")
        put("memory_channels", bits // CHANNEL_BITS, "spec", f"{bits} bits of {CHANNEL_BITS} each (JEDEC JESD238)")
    gpcs, small = groups_of(r)
    if gpcs:
        source = f"scripts/describe-gpu on {measured}: " + " ".join(groups_of.__doc__.split())
        put("gpcs", gpcs, "measured", source)
        put("small_groups", small, "measured", source)
    for parameter, (rule, within) in RULES.items():
        try:
            value = rule(r)
        except (KeyError, ValueError, ZeroDivisionError, ArithmeticError):
            missing.append(parameter)
            continue
        put(parameter, rounded(value, known[parameter]["value"]), known[parameter]["status"]
            if known[parameter]["status"] == "fitted" else "measured",
            f"scripts/describe-gpu on {measured}: {' '.join(rule.__doc__.split())}")
    for parameter, old in known.items():
        if parameter in made:
            continue
        status, source = old["status"], old["source"]
        if not (same_kind and status == "spec") and status != "assumed":
            status, source = "assumed", f"as on the {base['name']}: {source}"
        made[parameter] = dict(old, status=status, source=source)
    return {parameter: made[parameter] for parameter in known}, missing


def text_of(identity, name, note, parameters):
    """The file, as the other descriptions are laid out."""
    lines = [f'{{\n  "id": {json.dumps(identity)},\n  "name": {json.dumps(name)},\n  "note": {json.dumps(note)},',
             '  "parameters": {']
    entries = []
    for parameter, entry in parameters.items():
        value = entry["value"]
        shown = ("[\n      " + ",\n      ".join(json.dumps(group) for group in value) + "\n    ]"
                 if isinstance(value, list) and value and isinstance(value[0], list) else json.dumps(value))
        unit = f'"unit": {json.dumps(entry["unit"])}, ' if "unit" in entry else ""
        entries.append(f'    "{parameter}": {{"value": {shown}, {unit}"status": "{entry["status"]}",\n'
                       f'      "source": {json.dumps(entry["source"])}}}')
    return "\n".join(lines) + "\n" + ",\n".join(entries) + "\n  }\n}\n"
