"""Walks a tensor operation from the line of Python to the warps of a GPU, and back.

    with warpwalk.record("walk.json.gz") as walk:            # PyTorch code; with or without a GPU
        train_step()
    walk.show()                                              # in a notebook's cell: the program itself

    warpwalk.run("relu(a @ b)", a=a, b=b).show("lanes")      # on the simulated GPU
    warpwalk.simulate(cuda_source, grid=4, block=256, args=[x, y, 1000], sanitize=True).findings
    warpwalk.open("trace.json").kernels
    warpwalk.ranks("run/", client=dask_client).verdict       # many ranks, many submissions, many GPUs

    warpwalk.simulated_gpu()                                 # first of all: PyTorch runs on a simulated GPU

The package needs nothing but Python. PyTorch, NumPy, pandas and IPython are used when they are there.
"""
from __future__ import annotations

from typing import Any

from .armed import arm
from .arrays import Empty, empty
from .cuda import Simulation, simulate
from .expression import Run, run
from .many import Grades, Ranks, grade, ranks
from .program import Error, __version__
from .recording import Recording, prepare_nvtx, record
from .simulated import SimulatedGpu, simulated_gpu
from .sweeps import Sweep, sweep, variants
from .walk import Frame, Table, Walk, open

__all__ = ["Empty", "Error", "Frame", "Grades", "Ranks", "Recording", "Run", "SimulatedGpu", "Simulation", "Sweep",
           "Table", "Walk", "arm", "empty", "grade", "open", "ranks", "record", "run", "simulate", "simulated_gpu", "sweep",
           "variants"]


prepare_nvtx()


def load_ipython_extension(shell: Any) -> None:
    """For `%load_ext warpwalk`: adds the cell magics %%warpwalk and %%warpwalk_cuda."""
    from .magics import WarpwalkMagics

    shell.register_magics(WarpwalkMagics)
