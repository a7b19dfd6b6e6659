"""Recipes over many files on a cluster of Ray: what ``sinew batch`` does, on many machines.

``run`` starts a cluster on this machine, or uses the one at ``address``. Outputs have the same bytes,
and the manifest has the same form, so a run with Ray goes on where ``sinew batch`` stopped, and the
other way round. ``windows`` is a dataset of Ray Data for training.

Needs ``pip install sinew-animation[ray]``. ``docs/batch.md`` describes recipes.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

try:
    import ray
    from fsspec.core import url_to_fs
    from fsspec.implementations.local import LocalFileSystem
    from ray.exceptions import RayError
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"sinew.ray needs {error.name}; `pip install sinew-animation[ray]` installs it", name=error.name
    ) from None

from . import load
from ._sinew import Error, Manifest, Plan, Recipe, _write_file

if TYPE_CHECKING:
    from ._sinew import Form

__all__ = ["Run", "Totals", "run", "windows"]

_SHARDS = 10_000
"""Largest number of tasks, unless more are requested: a cluster keeps a kilobyte or more for each."""
_UPLOAD_SECS = 10.0
"""Time between copies of the manifest to a storage that cannot append."""
_STORE_BYTES = 256 * 2**20
"""Size of the object store of a cluster on this machine, which holds the recipe and the files that it names."""


@dataclass
class Totals:
    """Numbers of inputs, as those of ``sinew batch``."""

    inputs: int
    done: int = 0
    """Inputs that this run did."""
    skipped: int = 0
    """Inputs that were done before, and have not changed."""
    failed: int = 0
    """Inputs that failed, in this run or before."""


class Storage:
    """The folder of a recipe, on this machine or at a URL that fsspec knows."""

    def __init__(self, recipe: str | PathLike[str]) -> None:
        # Lists of files that were read before would be out of date.
        self._files, path = url_to_fs(os.fspath(recipe), use_listings_cache=False)
        self.is_local = isinstance(self._files, LocalFileSystem)
        self._folder, _, self.recipe = path.rpartition("/")

    def place(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def read(self, name: str) -> bytes:
        contents: bytes = self._files.cat_file(self.place(name))
        return contents

    def write(self, name: str, contents: bytes) -> None:
        """Writes a file, complete or not at all: object stores do so by themselves."""
        place = self.place(name)
        if self.is_local:
            _write_file(place, contents)
        else:
            self._files.makedirs(place.rpartition("/")[0], exist_ok=True)
            self._files.pipe_file(place, contents)

    def size(self, name: str) -> int | None:
        try:
            return int(self._files.info(self.place(name))["size"])
        except FileNotFoundError:
            return None

    def inputs(self, recipe: Recipe) -> list[str]:
        """Lists the inputs, and checks all names and folders of outputs."""
        if self.is_local:
            return recipe.list(self._folder or "/")
        found: list[str] = []
        for folder in recipe.folders:
            try:
                paths = self._files.find(self.place(folder))
            except FileNotFoundError:
                continue
            found += [path[len(self._folder) + 1 :] for path in paths]
        inputs = recipe.choose(found)
        probe = self.place(".sinew-batch.part")
        try:
            self._files.pipe_file(probe, b"")
            self._files.rm_file(probe)
        except Exception as error:
            raise Error(f"cannot write to {self._folder}: {error}; choose another location") from error
        return inputs

    def given(self, recipe: Recipe) -> dict[str, bytes | str]:
        """Files that the recipe names: contents, or texts of errors."""
        files: dict[str, bytes | str] = {}
        for path in recipe.files:
            name = os.fspath(path)
            try:
                files[name] = self.read(name)
            except OSError as error:
                files[name] = str(error)
        return files


class Keeps(Protocol):
    """What work asks the keeper of the manifest for."""

    def left(self, start: int, stop: int) -> list[tuple[int, str, str | None]]: ...
    def keep(self, at: int, line: str) -> None: ...
    def skip(self, skipped: list[tuple[int, bool]]) -> None: ...


class Keeper:
    """Owner of the manifest. Work may run twice; each input is kept once."""

    def __init__(self, storage: Storage, inputs: list[str]) -> None:
        self._storage, self._inputs = storage, inputs
        self._name = storage.recipe.rpartition(".")[0] or storage.recipe
        self._name += ".manifest.jsonl"
        self._is_kept = bytearray(len(inputs))
        self._news: list[tuple[str, Any]] = []
        self._copied = time.monotonic()
        self._path = storage.place(self._name)
        if not storage.is_local:
            self._folder = tempfile.TemporaryDirectory()
            self._path = os.path.join(self._folder.name, "manifest.jsonl")
            if storage.size(self._name) is not None:
                _write_file(self._path, storage.read(self._name))
        self._manifest = Manifest(self._path)

    def left(self, start: int, stop: int) -> list[tuple[int, str, str | None]]:
        """Inputs of a shard that this run has not finished, with their newest lines."""
        left = (at for at in range(start, stop) if not self._is_kept[at])
        return [(at, self._inputs[at], self._manifest.line(self._inputs[at])) for at in left]

    def keep(self, at: int, line: str) -> None:
        if self._is_kept[at]:
            return
        self._manifest.append(line)
        self._is_kept[at] = 1
        self._news.append(("ran", line))
        if time.monotonic() > self._copied + _UPLOAD_SECS:
            self._copy()

    def skip(self, skipped: list[tuple[int, bool]]) -> None:
        for at, is_failed in skipped:
            if not self._is_kept[at]:
                self._is_kept[at] = 1
                self._news.append(("skipped", is_failed))

    def news(self) -> list[tuple[str, Any]]:
        """What happened since the last call."""
        news, self._news = self._news, []
        return news

    def path(self, at: int) -> str:
        return self._inputs[at]

    def finish(self, recipe: str) -> None:
        """Writes the summary."""
        parsed = Recipe(recipe)
        if parsed.summary is not None:
            self._storage.write(parsed.summary, self._manifest.summary(parsed, self._inputs))
        self._copy()

    def _copy(self) -> None:
        if not self._storage.is_local:
            with open(self._path, "rb") as manifest:
                self._storage.write(self._name, manifest.read())
        self._copied = time.monotonic()


def work(plan: Plan, storage: Storage, keeper: Keeps, start: int, stop: int) -> None:
    """Does what is left of a shard of inputs."""
    skipped = []
    for at, path, known in keeper.left(start, stop):
        try:
            contents = storage.read(path)
        except OSError as error:
            keeper.keep(at, plan.failed(path, f"cannot read the file: {error}"))
            continue
        if known is not None and plan.is_current(path, contents, known, storage.size):
            skipped.append((at, "error" in json.loads(known)))
            continue
        line, outputs = plan.run(path, contents, storage.place(path) if storage.is_local else None)
        for name, output in outputs:
            try:
                storage.write(name, output)
            except OSError as error:
                line = plan.failed(path, f"cannot write {name}: {error}", contents)
                break
        # After the outputs: what a killed worker did not say is done again.
        keeper.keep(at, line)
    keeper.skip(skipped)


class _Remote:
    """The keeper, from another process."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    def left(self, start: int, stop: int) -> list[tuple[int, str, str | None]]:
        left: list[tuple[int, str, str | None]] = ray.get(self._actor.left.remote(start, stop))
        return left

    def keep(self, at: int, line: str) -> None:
        ray.get(self._actor.keep.remote(at, line))

    def skip(self, skipped: list[tuple[int, bool]]) -> None:
        ray.get(self._actor.skip.remote(skipped))


_plans: dict[str, Plan] = {}


def _task(plans: list[Any], storage: Storage, actor: Any, start: int, stop: int) -> None:
    key = plans[0].hex()
    if key not in _plans:
        # Reading a character takes longer than many an input, so a process does it once.
        _plans.clear()
        _plans[key] = ray.get(plans[0])
    work(_plans[key], storage, _Remote(actor), start, stop)


class Run:
    """A checked recipe. Iterating runs it, and gives a dictionary for each input when it is done or
    failed: its line of the manifest."""

    def __init__(
        self, recipe: str | PathLike[str], address: str | None, workers: int | None, shard: int | None
    ) -> None:
        self._storage = Storage(recipe)
        self._text = self._storage.read(self._storage.recipe).decode()
        try:
            parsed = Recipe(self._text)
            self._inputs = self._storage.inputs(parsed)
            self._plan = Plan(self._text, self._storage.given(parsed))
        except Error as error:
            raise Error(f"{os.fspath(recipe)}: {error}") from None
        self._address, self._workers = address, workers
        self._shard = shard or max(8, -(-len(self._inputs) // _SHARDS))
        self.totals = Totals(len(self._inputs))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self.totals = Totals(len(self._inputs))
        is_ours = not ray.is_initialized()
        if is_ours:
            _start(self._address, self._workers)
        tasks: dict[Any, tuple[int, int]] = {}
        try:
            here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
            options = {"num_cpus": 0, "scheduling_strategy": here}
            keeper = ray.remote(Keeper).options(**options).remote(self._storage, self._inputs)
            task, plans = ray.remote(_task).options(max_retries=3), [ray.put(self._plan)]

            def submit(start: int, stop: int) -> None:
                tasks[task.remote(plans, self._storage, keeper, start, stop)] = (start, stop)

            for start in range(0, len(self._inputs), self._shard):
                submit(start, min(start + self._shard, len(self._inputs)))
            while tasks:
                ready, _ = ray.wait(list(tasks), timeout=0.2)
                for one in ready:
                    start, stop = tasks.pop(one)
                    try:
                        ray.get(one)
                    except RayError as error:
                        if stop - start > 1:
                            # One of the inputs ends its worker every time. The others are done alone.
                            for at in range(start, stop):
                                submit(at, at + 1)
                        else:
                            line = self._plan.failed(self._inputs[start], _reason(error))
                            ray.get(keeper.keep.remote(start, line))
                yield from self._count(ray.get(keeper.news.remote()))
            ray.get(keeper.finish.remote(self._text))
        finally:
            for one in tasks:
                ray.cancel(one)
            if is_ours:
                ray.shutdown()

    def _count(self, news: list[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
        for what, value in news:
            if what == "ran":
                record: dict[str, Any] = json.loads(value)
                is_failed = "error" in record
                self.totals.done += not is_failed
            else:
                is_failed = value
                self.totals.skipped += not is_failed
            self.totals.failed += is_failed
            if what == "ran":
                yield record


def _reason(error: RayError) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return f"the worker ended: {lines[-1]}"


def _start(address: str | None, workers: int | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address is not None:
        ray.init(address=address, log_to_driver=False)
        return
    ray.init(
        address="local",
        num_cpus=workers,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
        object_store_memory=_STORE_BYTES,
    )


def run(
    recipe: str | PathLike[str],
    *,
    address: str | None = None,
    workers: int | None = None,
    shard: int | None = None,
) -> Run:
    """Checks a recipe, and returns its run: iterate over it to do the work. A recipe that cannot be run
    raises ``sinew.Error`` here, before a cluster is started.

    ``recipe`` is a path, or a URL that fsspec knows; all machines must reach its folder. ``address`` is
    that of a cluster. Without it, one is started on this machine with ``workers`` processes (one for
    each core), and ended after the run. A cluster that this process already uses is used. ``shard`` is
    the number of inputs of a task; a task whose worker dies is repeated.
    """
    return Run(recipe, address, workers, shard)


def _cut(batch: dict[str, Any], length: int, step: int, fps: float, form: Form) -> dict[str, Any]:
    rows: dict[str, list[Any]] = {key: [] for key in ("path", "clip", "start_secs", "rotations", "translations")}
    for path in batch["path"]:
        files, place = url_to_fs(str(path))
        contents = place if isinstance(files, LocalFileSystem) else files.cat_file(place)
        for clip in load(contents).clips:
            frames = clip.to_arrays(fps=fps, form=form)
            for start in range(0, len(frames.times) - length + 1, step):
                rows["path"].append(str(path))
                rows["clip"].append(clip.name)
                rows["start_secs"].append(float(frames.times[start]))
                rows["rotations"].append(frames.rotations[start : start + length])
                rows["translations"].append(frames.translations[start : start + length])
    if len({len(window[0]) for window in rows["translations"]}) > 1:
        raise Error("clips have different numbers of joints; retarget them to one skeleton first")
    return {key: np.array(values) for key, values in rows.items()}


def windows(
    paths: Sequence[str | PathLike[str]],
    *,
    length: int,
    step: int | None = None,
    fps: float = 30.0,
    form: Form = "6d",
) -> Any:
    """Dataset of Ray Data with a row for each window of ``length`` frames of the clips of these files:
    ``path``, ``clip``, ``start_secs``, ``rotations`` (length×J×6) and ``translations`` (length×J×3).
    Windows begin every ``step`` frames (``length``). Files are read when rows are needed, by
    ``map_batches``, so a dataset may be larger than memory. Needs ``pip install ray[data]``.
    """
    import ray.data

    if length < 1 or (step is not None and step < 1):
        raise Error("length and step must be at least 1")
    items = ray.data.from_items([{"path": os.fspath(path)} for path in paths])
    options = {"length": length, "step": step or length, "fps": fps, "form": form}
    return items.map_batches(_cut, batch_size=8, fn_kwargs=options)
