# SPDX-License-Identifier: MIT
"""`lanewise validate` in parts: each part is a run of the program with --part, and `lanewise merge` joins their files."""
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

_NO, _USAGE, _FAULT = 1, 2, 3
_NOT_TAKEN = ('part', 'part_file', 'list', 'json', 'help')
_ERRORS = {_USAGE: 'ArgumentError', _FAULT: 'UnsupportedError'}


@dataclass(frozen=True)
class Sweep:
    """A comparison in parts: how many parts, whether anything differs, and what `lanewise validate` prints on one machine."""

    parts: int
    different: bool
    report: str


def words_of(files, options):
    """The words after `lanewise validate`."""
    words = []
    for name, value in options.items():
        if name in _NOT_TAKEN:
            raise TypeError('%s cannot be used with a comparison in parts' % name)
        option = '--' + name.replace('_', '-')
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    return words + (['--'] if files else []) + [os.fspath(file) for file in files]


def _run(words, environment):
    """(exit status, output, errors)"""
    try:
        run = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment} if environment else None)
        return run.returncode, run.stdout, run.stderr
    except OSError as why:
        return _USAGE, '', str(why)


def _refusal(what, status, errors):
    """What distributed._raise takes."""
    return False, (_ERRORS.get(status, 'LanewiseError'), '%s: %s' % (what, errors.strip() or 'exit status %d' % status), status)


def run_part(program, words, environment, number, count):
    """In another process: (True, the part's file), or a refusal."""
    folder = tempfile.mkdtemp(prefix='lanewise-')
    try:
        path = os.path.join(folder, 'part')
        status, _, errors = _run([program, 'validate', '--part', '%d/%d' % (number + 1, count), '--part-file', path] + words, environment)
        if status not in (0, _NO):
            return _refusal('part %d of %d' % (number + 1, count), status, errors)
        with open(path, 'rb') as file:
            return True, file.read()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def join(program, outcomes):
    """(True, Sweep) or a refusal. Writes the files that --record and --report name, as the whole comparison does."""
    for outcome in outcomes:
        if not outcome[0]:
            return outcome
    with tempfile.TemporaryDirectory(prefix='lanewise-') as folder:
        paths = [os.path.join(folder, 'part%d' % (i + 1)) for i in range(len(outcomes))]
        for path, (_, data) in zip(paths, outcomes):
            with open(path, 'wb') as file:
                file.write(data)
        status, report, errors = _run([program, 'merge'] + paths, None)
        if status not in (0, _NO):
            return _refusal('merge', status, errors)
        return True, Sweep(len(outcomes), status == _NO, report)
