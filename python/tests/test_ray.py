"""Recipes on a cluster of Ray with two workers."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray

import sinew
import sinew.ray
from sinew.ray import Storage

from folders import RECIPE, outputs, records, takes

COUNT = 200


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    here = Path.cwd()
    # Workers import what lies in the current folder first: here, the sources.
    os.chdir(tmp_path_factory.mktemp("cluster"))
    sinew.ray._start(None, 2)
    os.chdir(here)
    # A class of this file goes to workers, which cannot import it.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    ray.shutdown()


def workers() -> list[int]:
    """Processes of our cluster that work on a shard."""
    parents, found = {}, []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            pid = int(path.name)
            parents[pid] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if b"_task" in (path / "cmdline").read_bytes():
                found.append(pid)
        except OSError:
            pass

    def is_ours(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return [pid for pid in found if is_ours(pid)]


def ran(recipe: Path, **options: Any) -> tuple[list[dict[str, Any]], sinew.ray.Totals]:
    run = sinew.ray.run(recipe, **options)
    return list(run), run.totals


def test_a_killed_worker_loses_nothing(tmp_path: Path, cluster: None) -> None:
    recipe = takes(tmp_path / "ray", COUNT, frames=16)
    run, results, killed = sinew.ray.run(recipe, shard=8), [], False
    for result in run:
        results.append(result)
        if not killed and len(results) > COUNT // 10:
            for pid in workers()[:1]:
                os.kill(pid, signal.SIGKILL)
                killed = True
    assert killed, "no worker was found"
    bad = COUNT // 10
    assert run.totals == sinew.ray.Totals(COUNT, COUNT - bad, 0, bad)
    # Each input once, good ones with outputs, bad ones with the reason.
    assert len({result["input"] for result in results}) == len(results) == COUNT
    reasons = [result["error"] for result in results if "error" in result]
    assert len(reasons) == bad and all("expected ROOT" in reason for reason in reasons), reasons[:1]

    serial = takes(tmp_path / "serial", COUNT, frames=16)
    sinew.run_recipe(serial, jobs=1)
    assert outputs(recipe.parent) == outputs(serial.parent)
    assert len(outputs(recipe.parent)) == 2 * (COUNT - bad)
    assert records(recipe.parent) == records(serial.parent)

    def rows(folder: Path) -> list[str]:
        lines = (folder / "summary.csv").read_text().splitlines()
        return [line.rpartition(",")[0].rpartition(",")[0] for line in lines]

    assert rows(recipe.parent) == rows(serial.parent)

    # A second run does nothing, whoever ran before, and a changed file only itself.
    for folder in (recipe, serial):
        assert ran(folder) == ([], sinew.ray.Totals(COUNT, 0, COUNT - bad, bad))
    changed = recipe.parent / "takes" / "d0" / "t000.bvh"
    changed.write_bytes(changed.read_bytes() + b"\n")
    results, totals = ran(recipe)
    assert [result["input"] for result in results] == ["takes/d0/t000.bvh"]
    assert totals == sinew.ray.Totals(COUNT, 1, COUNT - bad - 1, bad)


class Deadly(Storage):
    """Storage with a file that ends whoever reads it."""

    def read(self, name: str) -> bytes:
        if name.endswith("t002.bvh"):
            os._exit(1)
        return super().read(name)


def test_an_input_that_ends_its_worker_fails_alone(
    tmp_path: Path, cluster: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = takes(tmp_path, 6)
    monkeypatch.setattr(sinew.ray, "Storage", Deadly)
    results, totals = ran(recipe, shard=6)
    assert totals == sinew.ray.Totals(6, 5, 0, 1) and len(results) == 6
    failed = [line for line in records(tmp_path) if "error" in line]
    assert [line["input"] for line in failed] == ["takes/d2/t002.bvh"]
    assert failed[0]["again"] and failed[0]["error"].startswith("the worker ended: ")
    monkeypatch.undo()
    assert ran(recipe)[1] == sinew.ray.Totals(6, 1, 5, 0)


def test_the_example_of_the_guide_runs(
    tmp_path: Path, cluster: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guide = Path(__file__).parent.parent.parent / "docs" / "batch.md"
    example = guide.read_text().partition("```python\n")[2].partition("```")[0]
    takes(tmp_path, 4).rename(tmp_path / "nightly.toml")
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 5 and said[-1] == "Totals(inputs=4, done=4, skipped=0, failed=0)", said
    assert sum(line.endswith(".bvh done") for line in said) == 4


def test_bad_recipes_are_refused_before_any_work(tmp_path: Path) -> None:
    recipe = takes(tmp_path, 3)
    (tmp_path / "file").write_text("no folder")
    circle = '[[step]]\nverb = "clean"\nname = "b"\nfrom = "a"\noutput = "b/{name}.bvh"\n'
    before = sorted(tmp_path.rglob("*"))
    for text, words in [
        (RECIPE.replace("clean", "claen", 1), "did you mean clean"),
        (RECIPE.replace('"clean"', '"clean"\nname = "a"\nfrom = "b"') + circle, "circle"),
        (RECIPE.replace("{folder}/{name}", "all"), "would both be written"),
        (RECIPE.replace("takes/", "tales/"), "no file that matches"),
        (RECIPE.replace("clean/", "file/"), "not a folder"),
        (RECIPE.replace("clean/", "/proc/sinew/"), "/proc/sinew"),
        (RECIPE.replace('"clean"', '"retarget"\nonto = "hero.glb"', 1).replace("bvh\"\n[[step]]\nverb = \"comp", "glb\"\n[[step]]\nverb = \"comp"), "hero.glb"),
    ]:
        recipe.write_text(text)
        with pytest.raises(sinew.Error, match=words):
            sinew.ray.run(recipe)
        assert sorted(tmp_path.rglob("*")) == before, text
    with pytest.raises(FileNotFoundError):
        sinew.ray.run(tmp_path / "none.toml")


@pytest.mark.skipif("SINEW_SOAK" not in os.environ, reason="pyarrow is large: run by make soak")
def test_windows_of_clips_are_a_dataset(tmp_path: Path, cluster: None) -> None:
    takes(tmp_path, 9)
    paths = sorted(tmp_path.glob("takes/**/*.bvh"))
    rows = sinew.ray.windows(paths, length=16, step=8, fps=30)
    batches = list(rows.iter_batches(batch_size=10))
    count = sum(len(batch["path"]) for batch in batches)
    expected = sum((len(c.to_arrays(fps=30).times) - 16) // 8 + 1 for p in paths for c in sinew.load(p).clips)
    assert count == expected
    first = batches[0]
    assert first["rotations"].shape[1:] == (16, 12, 6) and first["translations"].shape[1:] == (16, 12, 3)
    clip = sinew.load(str(first["path"][0])).clips[0]
    at = int(round(float(first["start_secs"][0]) * 30))
    frames = clip.to_arrays(fps=30, form="6d")
    assert (frames.rotations[at : at + 16] == first["rotations"][0]).all()
    with pytest.raises(sinew.Error, match="at least 1"):
        sinew.ray.windows(paths, length=0)
