from array import array

Bytes = bytearray | memoryview | array[int]

ROW: int  # bytes of a row

def reset(
    kind: int,
    start: int,
    stop: int,
    limit: int,
    seed: int,
    shift: int,
    setup: bytes,
    rows: Bytes,
    movers: Bytes,
    status: Bytes,
    winners: Bytes,
    /,
) -> None: ...
def step(
    kind: int,
    start: int,
    stop: int,
    limit: int,
    again: bool,
    setup: bytes,
    rows: Bytes,
    actions: Bytes,
    movers: Bytes,
    status: Bytes,
    winners: Bytes,
    /,
) -> None: ...
def look(
    kind: int,
    start: int,
    stop: int,
    rows: Bytes,
    seats: Bytes,
    observations: Bytes,
    masks: Bytes,
    /,
) -> None: ...
def sample(kind: int, start: int, stop: int, rows: Bytes, actions: Bytes, /) -> None: ...
def values(
    kind: int, start: int, stop: int, rows: Bytes, tables: tuple[bytes | Bytes, ...], values: Bytes, /
) -> None: ...
def regrets(
    kind: int, start: int, stop: int, rows: Bytes, tables: tuple[bytes | Bytes, ...], regrets: Bytes, /
) -> None: ...
def policies(
    kind: int,
    start: int,
    stop: int,
    rows: Bytes,
    tables: tuple[bytes | Bytes, ...],
    policy: int,
    miss: float,
    cost: float,
    depth: int,
    probabilities: Bytes,
    /,
) -> None: ...
def playouts(
    kind: int,
    start: int,
    stop: int,
    limit: int,
    seed: int,
    setup: bytes,
    winners: Bytes,
    lengths: Bytes,
    /,
) -> None: ...
