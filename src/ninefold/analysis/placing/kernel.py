"""The hot loops of the tablebases: in C where the extension was built, else in plain Python.

`fill` is the one in use and `NAME` says which it is. Set NINEFOLD_KERNEL=python to use the plain one
even where the extension was built.
"""

from __future__ import annotations

import os

from ninefold.analysis.evaluation import OnProgress
from ninefold.analysis.placing import plain
from ninefold.analysis.placing.buffers import Job


def c_fill(job: Job, progress: OnProgress | None = None) -> bytes:
    """What `plain.fill` does, by the C extension: so fast that it reports progress only at the end."""
    from ninefold.analysis.placing import _kernel

    filled = _kernel.fill(
        job.plan, job.tokens, job.index, job.fits, job.win_at, job.kinds, job.counts, job.codes
    )
    if progress is not None:
        progress(1.0)
    return filled


def _has_c() -> bool:
    try:
        import ninefold.analysis.placing._kernel  # noqa: F401
    except ImportError:
        return False
    return os.environ.get("NINEFOLD_KERNEL") != "python"


fill, NAME = (c_fill, "C kernel") if _has_c() else (plain.fill, "pure Python")
