# SPDX-License-Identifier: MIT
"""Observers of a launch: checks and the trace."""
import ctypes as c
from typing import Dict, Iterable, List, Tuple

from . import _structs as s
from ._c import check, lib, sink, text
from ._result import Banks, BanksRepair, Coalescing, Finding, Uninit, line_of


class _Reports:
    """An observer of the library that collects reports."""

    def __init__(self, name):
        self._name, self._pointer = name, c.c_void_p()
        check(getattr(lib, 'lw_%s_create' % name)(c.byref(self._pointer)))
        self.observer = getattr(lib, 'lw_%s_observer' % name)(self._pointer)

    def __del__(self):
        if getattr(self, '_pointer', None):
            getattr(lib, 'lw_%s_free' % self._name)(self._pointer)
            self._pointer = None

    def _rows(self):
        at = getattr(lib, 'lw_%s_at' % self._name)
        return (at(self._pointer, i)[0] for i in range(getattr(lib, 'lw_%s_count' % self._name)(self._pointer)))


class _Uninit(_Reports):
    def __init__(self):
        super().__init__('uninit')

    def reports(self):
        return tuple(Uninit(r.code_offset, text(r.instruction), tuple(r.workgroup), r.wave, r.lane, text(r.what), r.times,
                            line_of(r.source)) for r in self._rows())


class _Banks(_Reports):
    def __init__(self):
        super().__init__('banks')

    def reports(self):
        return tuple(Banks(r.code_offset, text(r.instruction), r.executed, r.phases, r.turns, r.max_degree, r.assumed, line_of(r.source))
                     for r in self._rows()), self._repair()

    def _repair(self):
        r = lib.lw_banks_find_repair(self._pointer)[0]
        if r.plain.turns == r.plain.phases:
            return None
        return BanksRepair(r.requests, r.whole, r.plain.phases, (r.plain.turns, r.swizzle.turns, r.padding.turns),
                           (r.b, r.m, r.s) if r.swizzled else None, (r.pad, r.row) if r.padded else None)


class _Coalescing(_Reports):
    def __init__(self):
        super().__init__('coalescing')

    def reports(self):
        return tuple(Coalescing(r.code_offset, text(r.instruction), r.executed, r.bytes, tuple(r.blocks), r.needed, r.misaligned,
                                r.stride if r.strided and not r.irregular else None, r.unit, r.assumed, line_of(r.source))
                     for r in self._rows())


class _Findings:
    """An observer for one of the library's named checks; NAME=strict lists findings of severity 'strict', too."""

    def __init__(self, word):
        self._name, _, strict = word.partition('=')
        self._pointer = c.c_void_p()
        options = s.lw_check_options(struct_size=c.sizeof(s.lw_check_options), strict=bool(strict))
        check(lib.lw_check_create(self._name.encode(), c.byref(options), c.byref(self._pointer)))
        self.observer = lib.lw_check_observer(self._pointer)

    def __del__(self):
        if getattr(self, '_pointer', None):
            lib.lw_check_free(self._pointer)
            self._pointer = None

    def reports(self):
        rows = (lib.lw_check_at(self._pointer, i)[0] for i in range(lib.lw_check_count(self._pointer)))
        return tuple(Finding(self._name, text(lib.lw_severity_name(r.severity)), text(r.rule), text(r.what), text(r.why), text(r.cure),
                             r.place.code_offset, text(r.place.instruction), line_of(r.place.source), r.other.code_offset,
                             text(r.other.instruction), tuple(r.workgroup), r.wave, r.lane, r.times)
                     for r in rows), tuple(_listed(lambda i: lib.lw_check_unchecked_at(self._pointer, i)))


def _listed(at):
    index = 0
    while at(index):
        yield text(at(index))
        index += 1


CHECKS = {'uninit=strict': _Uninit, 'banks': _Banks, 'coalescing': _Coalescing}


def make(name):
    """Makes the observer of a check; the result has `observer` and `reports()`."""
    return CHECKS[name]() if name in CHECKS else _Findings(name)


def check_names() -> Tuple[str, ...]:
    """The names that a launch's `check` accepts."""
    return tuple(dict.fromkeys([*CHECKS, *_listed(lib.lw_check_name_at)]))


def named_checks(wanted: Iterable[str]) -> List[str]:
    """The checks that these words of a launch's `check` mean, each once."""
    found: Dict[str, str] = {}
    known = check_names()
    for word in wanted:
        bare = word[:-len('=strict')] if word.endswith('=strict') and word not in CHECKS else word
        if word == 'all':
            for name in known:
                if name != 'uninit=strict':
                    found.setdefault(name, name)
        elif bare in known and (bare == word or bare not in CHECKS):
            if word != bare or bare not in found:
                found[bare] = word
        else:
            raise ValueError('%r is not a check; the checks are %s, and all' % (word, ', '.join(known)))
    return list(found.values())


class Trace:
    """An observer that writes what each instruction read and wrote."""

    def __init__(self, write):
        self._pointer = c.c_void_p()
        self._sink = sink(lambda piece: write(piece.decode('utf-8', 'replace')))
        options = lib.lw_trace_options_default()
        options.sink = self._sink
        check(lib.lw_trace_create(c.byref(options), c.byref(self._pointer)))
        self.observer = lib.lw_trace_observer(self._pointer)

    def __del__(self):
        if getattr(self, '_pointer', None):
            lib.lw_trace_free(self._pointer)
            self._pointer = None
