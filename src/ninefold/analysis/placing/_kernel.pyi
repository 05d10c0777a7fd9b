from array import array

def fill(
    plan: array[int],
    tokens: bytes,
    index: array[int],
    fits: bytes,
    win_at: bytes,
    kinds: array[int],
    counts: array[int],
    codes: bytes,
    /,
) -> bytes: ...
