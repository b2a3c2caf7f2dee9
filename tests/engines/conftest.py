"""One Spark, one Spark Connect and one PostgreSQL for all tests of engines, each left out where it cannot be had.

`spark` is a classic session, `connect` one of Spark Connect at `spark_address`; `postgres` is the address of a private
cluster. What cannot be had is told in one line at the end.
"""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_absent: dict[str, str] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs Spark or PostgreSQL, so that it runs in one process and each of them starts once.

    What needs Spark takes long: the same tests with DuckDB and PostgreSQL do not.
    """
    here = Path(__file__).parent
    for item in items:
        needs = {*getattr(item, "fixturenames", ())}
        if {"spark", "connect", "spark_address", "postgres"} & needs:
            item.add_marker("engines")
        if here in item.path.parents and hasattr(item, "callspec"):
            needs |= {value for value in item.callspec.params.values() if isinstance(value, str)}
        if {"spark", "connect", "spark_address", "sc"} & needs:
            item.add_marker("long")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell in one line which engines were not tested, and why."""
    if _absent:
        said = "; ".join(f"{engine} ({why})" for engine, why in _absent.items())
        terminalreporter.write_line(f"engines not tested here: {said}")


def _skip(engine: str, why: str) -> None:
    _absent[engine] = why
    pytest.skip(f"{engine}: {why}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _java() -> bool:
    java = shutil.which("java")
    return (
        java is not None
        and subprocess.run([java, "-version"], capture_output=True, check=False).returncode == 0
    )


@pytest.fixture
def without_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let DuckDB be read as where Arrow is not installed."""
    for module in ("connections.duck", "spelling"):
        monkeypatch.setattr(f"giveaway.engines.{module}.find_spec", lambda _: None)


@pytest.fixture(scope="session")
def _spark_and_port() -> Iterator[tuple[Any, int]]:
    if not _java():
        _skip("Spark", "Java is not installed")
    if find_spec("pyspark") is None:
        _skip("Spark", "PySpark is not installed")
    from pyspark.sql import SparkSession

    port = _free_port()
    folder = tempfile.mkdtemp(prefix="giveaway-spark-")
    settings = {
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": port,
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.local.dir": folder,
        "spark.log.level": "OFF",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": 2,
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("giveaway")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session, port
    session.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def spark(_spark_and_port: tuple[Any, int]) -> Any:
    """A classic Spark session on two cores of this machine."""
    return _spark_and_port[0]


@pytest.fixture(scope="session")
def spark_address(_spark_and_port: tuple[Any, int]) -> str:
    """The address of a Spark Connect server; it is the same Spark as the classic session's."""
    return f"sc://127.0.0.1:{_spark_and_port[1]}"


@pytest.fixture(scope="session")
def connect(spark_address: str) -> Iterator[Any]:
    """A session of Spark Connect."""
    from pyspark.sql.connect.session import SparkSession

    session = SparkSession.builder.remote(spark_address).create()
    yield session
    session.stop()


def _postgres_tool(name: str) -> str | None:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


def _servant() -> str | None:
    """Return who runs the database: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    names = [user.pw_name for user in pwd.getpwall()]
    return "postgres" if "postgres" in names else "nobody"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a private PostgreSQL cluster behind a socket in a folder of its own."""
    initdb, control = _postgres_tool("initdb"), _postgres_tool("pg_ctl")
    if initdb is None or control is None:
        _skip("PostgreSQL", "it is not installed")
    if find_spec("psycopg") is None or find_spec("ibis") is None:
        _skip("PostgreSQL", "psycopg or Ibis is not installed")
    folder = Path(tempfile.mkdtemp(prefix="giveaway-pg-"))
    servant = _servant()
    prefix = [] if servant is None else ["runuser", "-u", servant, "--"]
    if servant is not None:
        shutil.chown(folder, servant)

    def run(*command: object) -> None:
        done = subprocess.run(
            [*prefix, *map(str, command)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=folder,
            check=False,
        )
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            _skip("PostgreSQL", f"{Path(str(command[0])).name} failed")

    data = folder / "data"
    run(initdb, "-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    options = f"-c listen_addresses='' -c fsync=off -c full_page_writes=off -k {folder}"
    run(control, "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
    yield f"postgresql:///postgres?host={folder}&user=owner"
    run(control, "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)
