"""A machine made of two dicts, for adapters: no disk, no clock."""

from __future__ import annotations


class World:
    """Stands in for `Readers`. `arrives` is a file that appears only after some waiting."""

    def __init__(self, files: dict[str, str | bytes] | None = None, env: dict[str, str] | None = None) -> None:
        self.files = {path: data.encode() if isinstance(data, str) else data for path, data in (files or {}).items()}
        self.env = {"HOME": "/home/me", **(env or {})}
        self.clock = 0.0
        self.arrives: dict[str, bytes] = {}

    def text(self, path: str) -> str:
        return self.files.get(path, b"").decode("utf-8-sig", "replace")

    def head(self, path: str, size: int) -> str:
        return self.files.get(path, b"")[:size].decode("utf-8-sig", "replace")

    def exists(self, path: str) -> bool:
        return path in self.files or bool(self.names(path))

    def tail(self, path: str, size: int) -> bytes:
        return self.files.get(path, b"")[-size:]

    def names(self, folder: str) -> list[str]:
        prefix = folder.rstrip("/") + "/"
        return sorted({path[len(prefix) :].split("/")[0] for path in self.files if path.startswith(prefix)})

    def now(self) -> float:
        return self.clock

    def sleep(self, seconds: float) -> None:
        self.clock += seconds
        if self.clock > 0.1:
            self.files.update(self.arrives)


def agent_file(name: str, **fields: str) -> str:
    """An agent definition."""
    lines = "".join(f"{key}: {value}\n" for key, value in {"name": name, **fields}.items())
    return f"---\n{lines}---\n\nDo it.\n"
