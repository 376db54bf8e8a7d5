"""Starts and ends a browser's processes, and carries its messages. Every wait has a limit."""
from __future__ import annotations

import ctypes
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

LIBC = ctypes.CDLL(None)
CRASH_HANDLERS = ("chrome_crashpad", "crashhelper")
DIE_WITH_PARENT, ADOPT_ORPHANS = 1, 36  # PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER


def launch(command: Sequence[str], environment: dict[str, str], output: Path, descriptors: dict[int, int],
           parting: signal.Signals = signal.SIGKILL) -> subprocess.Popen[bytes]:
    """Starts a command in a session of its own, with stdout and stderr in a file.

    `descriptors` gives the command's descriptors, each with the one here. If the calling thread ends, the
    command gets the signal `parting`.
    """
    LIBC.prctl(ADOPT_ORPHANS, 1)  # so that end() can wait for grandchildren that lost their parent
    parent = os.getpid()

    def prepare() -> None:
        LIBC.prctl(DIE_WITH_PARENT, parting)
        if os.getppid() != parent:
            os._exit(1)
        copies = {theirs: os.dup(ours) for theirs, ours in descriptors.items()}
        for theirs, copy in copies.items():
            os.dup2(copy, theirs)

    with output.open("ab") as file:
        return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                start_new_session=True, close_fds=False, preexec_fn=prepare)


def family(leader: int, variable: str) -> set[int]:
    """The processes in the leader's session, zombies included, and all that have this in their environment.

    Crash handlers leave the session, and Chromium's renderers overwrite their environment. An ended crash
    handler has no environment; it counts if this process adopted it.
    """
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                name, _, rest = (entry / "stat").read_text().partition("(")[2].rpartition(")")
                state, parent, _, session = rest.split()[:4]
                orphan = name in CRASH_HANDLERS and state == "Z" and int(parent) == os.getpid()
                if int(session) == leader or orphan or variable.encode() in (entry / "environ").read_bytes():
                    found.add(int(entry.name))
    return found


def memory_mb(processes: set[int]) -> float:
    """Their resident memory in MB. A page of memory that several of them share counts once."""
    kibibytes = 0
    for pid in processes:
        with suppress(OSError):
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            kibibytes += sum(int(size) for size in re.findall(r"^Pss:\s+(\d+)", text, re.M))
    return kibibytes * 1024 / 1e6


def end(process: subprocess.Popen[bytes], variable: str, parting: signal.Signals = signal.SIGKILL) -> None:
    """Ends the process by a signal, then kills what is left of its family. Waits for all of them."""
    left = family(process.pid, variable)
    process.send_signal(parting)
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
    deadline = time.monotonic() + 20
    while left and time.monotonic() < deadline:
        for pid in left - {process.pid}:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):  # while its parent lives, it is not ours
                os.waitpid(pid, os.WNOHANG)
        process.poll()
        left = {pid for pid in left if Path(f"/proc/{pid}").exists()} | family(process.pid, variable)
        time.sleep(0.02)


class Wire:
    """Messages over two descriptors. `split` takes the first whole message off the received bytes."""

    def __init__(self, receiving: int, sending: int, split: Callable[[bytearray], bytes | None]) -> None:
        self.receiving, self.sending, self.split, self.buffer = receiving, sending, split, bytearray()
        os.set_blocking(sending, False)

    def send(self, data: bytes, deadline: float) -> None:
        while data:
            if not select.select([], [self.sending], [], max(0.0, deadline - time.monotonic()))[1]:
                raise TimeoutError("the browser takes no commands")
            data = data[os.write(self.sending, data):]

    def receive(self, deadline: float) -> bytes | None:
        """The next message, or None if none comes before the deadline. Raises EOFError after the last one."""
        while (message := self.split(self.buffer)) is None:
            if not select.select([self.receiving], [], [], max(0.0, deadline - time.monotonic()))[0]:
                return None
            if not (received := os.read(self.receiving, 1 << 20)):
                raise EOFError
            self.buffer += received
        return message


def split_at_nul(buffer: bytearray) -> bytes | None:
    """Splits 'message NUL', as Chromium's pipe does."""
    end_of_message = buffer.find(0)
    if end_of_message < 0:
        return None
    message = bytes(buffer[:end_of_message])
    del buffer[:end_of_message + 1]
    return message


def split_by_length(buffer: bytearray) -> bytes | None:
    """Splits 'length:message', as Marionette does."""
    colon = buffer.find(b":")
    if colon < 0 or len(buffer) < (end_of_message := colon + 1 + int(buffer[:colon])):
        return None
    message = bytes(buffer[colon + 1:end_of_message])
    del buffer[:end_of_message]
    return message
