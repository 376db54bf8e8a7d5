"""The values of a case: raw files in one archive, FOLDER/values.tar.gz.

A launch file names them by the path through the archive, "values.tar.gz/x.in.bin".
"""
import gzip
import io
import tarfile
from pathlib import Path

ARCHIVE = "values.tar.gz"


def read_values(folder):
    """{name: bytes} of the archive; empty without one."""
    file = Path(folder) / ARCHIVE
    if not file.exists():
        return {}
    with tarfile.open(file) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def write_values(folder, values):
    """Writes {name: bytes}, in the order of names and without times: the same values give the same file.
    An archive that has them already stays, since versions of zlib compress differently; without values, there is none."""
    file = Path(folder) / ARCHIVE
    if not values:
        file.unlink(missing_ok=True)
    elif values != read_values(folder):
        plain = io.BytesIO()
        with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name in sorted(values):
                member = tarfile.TarInfo(name)
                member.size = len(values[name])
                archive.addfile(member, io.BytesIO(values[name]))
        file.write_bytes(gzip.compress(plain.getvalue(), 9, mtime=0))


def content_of(folder, path):
    """The bytes of a file that a launch file names: in the archive, or beside it."""
    archive, _, name = path.partition("/")
    return read_values(folder)[name] if archive == ARCHIVE else (Path(folder) / path).read_bytes()
