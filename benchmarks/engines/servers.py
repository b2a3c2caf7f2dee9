"""Spark and a private PostgreSQL for comparison, each where this machine has it."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def spark_missing() -> str | None:
    """Say why Spark cannot be had, None where it can."""
    if shutil.which("java") is None:
        return "Java is not installed"
    return "PySpark is not installed" if find_spec("pyspark") is None else None


@contextmanager
def spark_session() -> Iterator[Any]:
    """Start Spark on two cores of this machine."""
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": "2g",
            "spark.local.dir": folder,
            "spark.log.level": "OFF",
            "spark.sql.shuffle.partitions": 2,
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
        }
        builder = SparkSession.builder.master("local[2]").appName("giveaway")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        try:
            yield session
        finally:
            session.stop()


def postgres_missing() -> str | None:
    """Say why PostgreSQL cannot be had, None where it can."""
    if _tool("initdb") is None:
        return "it is not installed"
    return "psycopg or Ibis is not installed" if not (find_spec("psycopg") and find_spec("ibis")) else None


@contextmanager
def postgres(table: str, file: Path) -> Iterator[str]:
    """Start a private cluster that holds a CSV file as a table, and give its address."""
    import psycopg

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "data"
        servant = _servant()
        if servant is not None:
            shutil.chown(folder, servant)
        _run(
            servant,
            _tool("initdb"),
            "-D",
            data,
            "-U",
            "owner",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        )
        options = f"-c listen_addresses='' -k {folder}"
        _run(servant, _tool("pg_ctl"), "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
        address = f"postgresql:///postgres?host={folder}&user=owner"
        try:
            with (
                psycopg.connect(address) as connection,
                connection.cursor() as cursor,
                file.open("rb") as lines,
            ):
                columns = ", ".join(
                    f"{column} text" for column in lines.readline().decode().strip().split(",")
                )
                cursor.execute(f"CREATE TABLE {table} ({columns})")
                with cursor.copy(f"COPY {table} FROM STDIN (FORMAT csv)") as copy:
                    while part := lines.read(1 << 20):
                        copy.write(part)
            yield address
        finally:
            _run(servant, _tool("pg_ctl"), "-D", data, "-m", "immediate", "stop")


def _tool(name: str) -> str | None:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


def _servant() -> str | None:
    """Return who runs the database: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    return "postgres" if "postgres" in [user.pw_name for user in pwd.getpwall()] else "nobody"


def _run(servant: str | None, *command: object) -> None:
    before = [] if servant is None else ["runuser", "-u", servant, "--"]
    subprocess.run([*before, *map(str, command)], check=True, stdout=subprocess.DEVNULL, cwd="/")
