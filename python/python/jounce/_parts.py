"""Parts of sweeps: pure functions of a plan and the number of a chunk."""

from functools import lru_cache

from jounce._core import SweepPlan


@lru_cache(maxsize=4)
def _read(plan: str) -> SweepPlan:
    return SweepPlan.parse(plan)


def part(plan: str, chunk: int) -> bytes:
    """Return the Parquet file of a chunk: the same bytes wherever and whenever it is run, with the same version of pyarrow.

    Parameters
    ----------
    plan : str
        Text of a plan.
    chunk : int
        Number of the chunk.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = _read(plan).run(chunk)
    arrays = [pa.array(values) for _, _, values in columns]
    fields = [
        pa.field(name, array.type, metadata={"unit": unit} if unit else None)
        for (name, unit, _), array in zip(columns, arrays, strict=True)
    ]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays, schema=pa.schema(fields)), sink)
    return bytes(sink.getvalue())
