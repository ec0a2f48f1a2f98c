"""Every public name is documented, and every example in its documentation runs."""

import doctest
import inspect
import pathlib
import re

import pytest

import jounce

README = pathlib.Path(__file__).parents[1] / "README.md"


def documented() -> dict[str, str]:
    """Documentation by name: of the module, of its public names, and of their public members."""
    texts = {"jounce": jounce.__doc__}
    for name in jounce.__all__:
        thing = getattr(jounce, name)
        texts[name] = inspect.getdoc(thing)
        if isinstance(thing, type):
            for member, value in vars(thing).items():
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


@pytest.mark.parametrize("name", jounce.__all__)
def test_every_name_is_documented(name: str):
    assert TEXTS[name] and TEXTS[name].split("\n")[0].endswith((".", "]."))


def test_the_readme_runs():
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})
