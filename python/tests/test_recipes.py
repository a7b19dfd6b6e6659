"""Recipes: of a folder, and the parts that other schedulers use."""

from __future__ import annotations

import pickle
from pathlib import Path

import fsspec
import pytest

import sinew
from sinew._sinew import Manifest, Plan, Recipe
from sinew.ray import Keeper, Storage, work

from folders import RECIPE, outputs, records, takes


def test_a_recipe_does_nothing_twice(tmp_path: Path) -> None:
    recipe = takes(tmp_path, 10)
    totals = {"inputs": 10, "done": 9, "skipped": 0, "failed": 1}
    assert sinew.run_recipe(recipe, jobs=2) == totals
    assert sinew.run_recipe(recipe) == {**totals, "done": 0, "skipped": 9}
    assert len(outputs(tmp_path)) == 18


def test_a_wrong_recipe_is_an_error(tmp_path: Path) -> None:
    recipe = takes(tmp_path, 1)
    recipe.write_text(RECIPE.replace("clean", "claen", 1))
    with pytest.raises(sinew.Error, match="line 3.*did you mean clean"):
        sinew.run_recipe(recipe)
    with pytest.raises(FileNotFoundError):
        sinew.run_recipe(tmp_path / "none.toml")


def test_a_pickled_plan_is_the_same_plan(tmp_path: Path) -> None:
    text = RECIPE + '[[step]]\nverb = "retarget"\nfrom = "input"\nonto = "mannequin"\noutput = "a/{name}.glb"\n'
    plan = Plan(text, {"mannequin": "there is no file"})
    copy = pickle.loads(pickle.dumps(plan))
    lines = [one.failed("takes/a.bvh", "for a test") for one in (plan, copy)]
    assert lines[0] == lines[1] and '"again":true' in lines[0]
    with pytest.raises(sinew.Error, match="hero.glb: it was not given"):
        Plan(text.replace("mannequin", "hero.glb"), {})


def test_broken_lines_and_names_are_errors(tmp_path: Path) -> None:
    plan = Plan(RECIPE, {})
    with pytest.raises(sinew.Error, match="matches no pattern"):
        plan.run("other/a.bvh", b"")
    with pytest.raises(sinew.Error, match="line of a manifest"):
        Manifest(tmp_path / "m.jsonl").append("{}")
    with pytest.raises(OSError, match="none"):
        Manifest(tmp_path / "none" / "m.jsonl")


def serial(recipe: str, shard: int = 4) -> Keeper:
    """The work of a cluster, in this process."""
    storage = Storage(recipe)
    text = storage.read(storage.recipe).decode()
    parsed = Recipe(text)
    inputs = storage.inputs(parsed)
    keeper = Keeper(storage, inputs)
    plan = Plan(text, storage.given(parsed))
    for start in range(0, len(inputs), shard):
        work(plan, storage, keeper, start, min(start + shard, len(inputs)))
        # As if a worker had died after its last word.
        work(plan, storage, keeper, start, min(start + shard, len(inputs)))
    keeper.finish(text)
    return keeper


def test_other_storage_gets_the_same_files(tmp_path: Path) -> None:
    recipe = takes(tmp_path, 12)
    memory = fsspec.filesystem("memory")
    memory.put(str(tmp_path / "takes"), "/batch/takes", recursive=True)
    memory.pipe_file("/batch/r.toml", recipe.read_bytes())
    keeper = serial("memory://batch/r.toml")
    assert [what for what, _ in keeper.news()] == ["ran"] * 12
    sinew.run_recipe(recipe)
    expected = {**outputs(tmp_path), "r.manifest.jsonl": b""}
    found = {path: memory.cat_file(f"/batch/{path}") for path in expected}
    memory.get("/batch/r.manifest.jsonl", str(tmp_path / "there" / "r.manifest.jsonl"))
    assert records(tmp_path / "there") == records(tmp_path)
    assert {**found, "r.manifest.jsonl": b""} == expected
    assert memory.cat_file("/batch/summary.csv").count(b"\n") == 1 + 1 + 2 * 11
    # A second run reads the manifest, and does only what changed.
    memory.rm_file("/batch/packed/d1/t001.sinew")
    again = serial("memory://batch/r.toml").news()
    assert sorted(what for what, _ in again) == ["ran"] + ["skipped"] * 11
    assert memory.exists("/batch/packed/d1/t001.sinew")
    memory.rm("/batch", recursive=True)


def test_an_input_that_is_gone_is_tried_again(tmp_path: Path) -> None:
    recipe = takes(tmp_path, 3)
    storage = Storage(recipe)
    keeper = Keeper(storage, ["takes/d0/t000.bvh", "takes/d0/none.bvh"])
    work(Plan(RECIPE, {}), storage, keeper, 0, 2)
    lines = records(tmp_path)
    assert [line.get("again", False) for line in lines] == [True, False]
    assert "cannot read the file" in lines[0]["error"]
