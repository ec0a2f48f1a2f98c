"""Every public name is documented, and every example in its documentation runs."""

import doctest
import importlib
import inspect
import pathlib
import re
import types

import pytest

import jounce

README = pathlib.Path(__file__).parents[1] / "README.md"


def modules() -> list[types.ModuleType]:
    """The modules whose names are public, as far as what they take is installed."""
    found = [jounce]
    for name in ("jounce.envs", "jounce.zoo"):
        try:
            found.append(importlib.import_module(name))
        except ModuleNotFoundError:
            pass
    return found


def documented() -> dict[str, str]:
    """Documentation by name: of the modules, of their public names, and of the public members of these."""
    texts = {}
    for module in modules():
        texts[module.__name__] = module.__doc__
        for name in module.__all__:
            thing = getattr(module, name)
            if not callable(thing):
                continue
            texts[name] = inspect.getdoc(thing)
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                is_method = callable(value) or isinstance(value, (staticmethod, property))
                if not member.startswith("_") and is_method:
                    texts[f"{name}.{member}"] = inspect.getdoc(getattr(thing, member))
    return texts


TEXTS = documented()


@pytest.mark.parametrize("name", TEXTS)
def test_examples_run(name: str):
    text = TEXTS[name] or ""
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0


@pytest.mark.parametrize("name", [name for name in TEXTS if "." not in name and name != "jounce"])
def test_every_name_is_documented(name: str):
    assert TEXTS[name] and TEXTS[name].split("\n")[0].endswith((".", "]."))


def test_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})
