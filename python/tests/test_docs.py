"""Examples of the docstrings and of the readme run, and everything public has a docstring."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest

import sinew
from sinew import _sinew

README = Path(__file__).parent.parent / "README.md"


def public() -> list[tuple[str, object]]:
    found = [(name, getattr(sinew, name)) for name in sinew.__all__]
    members = []
    for name, item in found:
        if inspect.isclass(item) and item.__module__ != "builtins":
            own = [(f"{name}.{key}", value) for key, value in vars(item).items()]
            members += [(key, value) for key, value in own if not key.split(".")[1].startswith("_")]
    return found + members


def test_everything_public_has_a_docstring() -> None:
    assert len(public()) > 80
    missing = [name for name, item in public() if not (inspect.getdoc(item) or "").strip()]
    assert missing == []


def test_examples_of_docstrings_run() -> None:
    finder, runner = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestRunner()
    tests = {}
    for name, item in public():
        for test in finder.find(item, name, module=False, globs={}):
            if test.examples:
                tests[test.name] = test
    assert len(tests) >= 5, "docstrings with examples"
    for test in tests.values():
        runner.run(test)
    assert runner.summarize().failed == 0


def test_examples_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    from content import chain

    (tmp_path / "walk.bvh").write_bytes(chain(joints=31, frames=60))
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted > 5 and result.failed == 0


def test_examples_of_the_first_steps_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from folders import takes

    guide = README.parent.parent / "docs" / "first-steps.md"
    recipe = guide.read_text().partition("```toml\n# pack.toml")[2].partition("```")[0]
    takes(tmp_path, 9, recipe=recipe).rename(tmp_path / "pack.toml")
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(guide), module_relative=False)
    assert result.attempted > 6 and result.failed == 0


def test_the_stub_names_what_exists() -> None:
    import ast

    stub = Path(sinew.__file__).parent / "_sinew.pyi"
    tree = ast.parse(stub.read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            assert hasattr(_sinew, node.name), node.name
        elif isinstance(node, ast.ClassDef):
            own = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            own |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)}
            real = {name for name in vars(getattr(_sinew, node.name)) if not name.startswith("_")}
            assert {name for name in own if not name.startswith("_")} == real, node.name
