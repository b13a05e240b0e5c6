"""Where generated CUDA is built: each text once, whoever asks for it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pencilc.verify import cudacpu
from pencilc.verify.executors import CpuExecutor


def test_threads_that_ask_for_one_text_do_not_write_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form whose text was the program's own was built beside it: objcopy found an empty file, or a call crashed."""
    written: list[Path] = []

    def compile_object(source: Path, output: Path, **rest: object) -> None:
        written.append(output)
        time.sleep(0.05)

    monkeypatch.setattr(cudacpu, "compile_object", compile_object)
    monkeypatch.setattr(cudacpu, "link", lambda *objects, **rest: None)
    executor = CpuExecutor(("fwd",), "plain")
    sources = [tmp_path / f"{name}.cu" for name in "abc"]
    for source, text in zip(sources, ("the same", "the same", "another"), strict=True):
        source.write_text(text)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda source: executor.build(source, tmp_path / "made.so", shared=True), sources))
    assert len(written) == len(set(written)) == 2
