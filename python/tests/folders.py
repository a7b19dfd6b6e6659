"""Folders of takes, for tests of recipes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from content import chain

RECIPE = """inputs = "takes/**/*.bvh"
summary = "summary.csv"
[[step]]
verb = "clean"
output = "clean/{folder}/{name}.bvh"
[[step]]
verb = "compress"
output = "packed/{folder}/{name}.sinew"
"""


def takes(folder: Path, count: int, frames: int = 40, recipe: str = RECIPE) -> Path:
    """Writes takes that all differ, of which every tenth is broken, and a recipe. Returns its path."""
    for number in range(count):
        take = chain(joints=12, frames=frames, fps=30 + number / 100)
        path = folder / "takes" / f"d{number % 3}" / f"t{number:03}.bvh"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"HIERARCHY broken" if number % 10 == 9 else take)
    (folder / "r.toml").write_text(recipe)
    return folder / "r.toml"


def outputs(folder: Path) -> dict[str, bytes]:
    found = [*folder.glob("clean/**/*.*"), *folder.glob("packed/**/*.*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def records(folder: Path) -> list[dict[str, Any]]:
    """Lines of the manifest in the order of inputs, without the time that each took."""
    lines = [json.loads(line) for line in (folder / "r.manifest.jsonl").read_text().splitlines()]
    return sorted(({**line, "secs": 0} for line in lines), key=lambda line: str(line["input"]))
