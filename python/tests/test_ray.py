"""A sweep on a cluster of two nodes that this test starts: a worker and a node are killed in the middle of it."""

import os
import pathlib
import signal
import sys
import threading
import time

import pytest

# Ray reads it as it is imported: nodes of one machine then meet on its loopback address.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
ray = pytest.importorskip("ray")
pytest.importorskip("pyarrow")
if not sys.platform.startswith("linux"):
    pytest.skip("processes are found in /proc", allow_module_level=True)

from ray.cluster_utils import Cluster  # noqa: E402

from jounce import Car, sweep  # noqa: E402

# Workers as quick as others on a busy machine, and a lost node found in two seconds instead of half a minute.
CONFIG = {
    "worker_niceness": 0,
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 1000,
    "health_check_failure_threshold": 4,
}
SPACE = {"grip": (0.4, 1.0), "payload": (0.0, 300.0)}


def swept(to: pathlib.Path, on: str) -> dict[str, bytes]:
    result = sweep(Car.load("sedan"), SPACE, "brake", 900, chunk=30, to=to, on=on, progress=False)
    assert len(result.files) == 30
    return {file.name: file.read_bytes() for file in to.iterdir()}


@pytest.fixture
def cluster():
    head = {"num_cpus": 1, "_system_config": CONFIG}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    other = cluster.add_node(num_cpus=1)
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        yield cluster, other
    finally:
        ray.shutdown()
        cluster.shutdown()


def workers() -> list[int]:
    """Processes that compute a part."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if process.joinpath("cmdline").read_bytes().startswith(b"ray::part"):
                found.append(int(process.name))
        except OSError:
            pass
    return found


def test_nothing_is_lost_and_nothing_is_done_twice(cluster, tmp_path):
    expected = swept(tmp_path / "threads", "threads")
    cluster, other = cluster
    folder = tmp_path / "ray"
    thread = threading.Thread(target=swept, args=(folder, "ray"))
    thread.start()

    def wait_for(condition) -> None:
        while not condition():
            assert thread.is_alive(), "the sweep is over"
            time.sleep(0.01)

    def parts() -> int:
        return len(list(folder.glob("part-*")))

    wait_for(lambda: parts() > 1 and workers())
    os.kill(workers()[0], signal.SIGKILL)
    wait_for(lambda: parts() > 6)
    assert parts() < 25
    cluster.remove_node(other, allow_graceful=False)
    thread.join(240)
    assert not thread.is_alive()
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == expected
