"""The rules: a function per timing parameter, named as it is. The docstring says how the recordings give its value."""

RULES = {}  # by name: function and tolerance


def rule(within=0.02):
    """Registers a rule. Its value may differ from that of the device file by the part `within`, or if the latter is 0,
    by `within` in its unit."""
    def register(function):
        RULES[function.__name__] = (function, within)
        return function
    return register


def whole(cycles):
    """Units work in whole cycles. The code around the measured instructions changes the cycles of each by up to 0.4."""
    return round(cycles)
