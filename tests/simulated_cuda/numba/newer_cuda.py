"""Lets numba 0.56 (Debian 12), which knows CUDA up to 11, work with CUDA 13. Importing it makes two changes that later
versions of numba have, too: the IR gets the version that libNVVM asks for instead of a fixed 1.6, and two functions
whose newer versions have another parameter are called by their first names."""
from llvmlite import ir
from numba.cuda.cudadrv import driver, nvvm


def add_ir_version(module):
    word = ir.IntType(32)
    version = [ir.Constant(word, part) for part in nvvm.NVVM().get_ir_version()]
    module.add_named_metadata('nvvmir.version', module.add_metadata(version))


find_newest = driver.Driver._find_api


def find_api(self, name):
    if name in ('cuCtxGetDevice', 'cuCtxSynchronize'):
        return getattr(self.lib, name)
    return find_newest(self, name)


nvvm.add_ir_version = add_ir_version
driver.Driver._find_api = find_api
