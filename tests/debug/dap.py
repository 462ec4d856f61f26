#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sessions of an editor with `lanewise debug --dap`: what it answers, and that every message is valid by the
protocol's schema, where debugpy (which carries it) and jsonschema are installed. Usage: dap.py PROGRAM DATA"""
import base64
import json
import os
import queue
import random
import struct
import subprocess
import sys
import threading

PROGRAM, DATA = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
TILE = ['tile.co', '--grid', '1', '--block', '128', 'C=out:-=f32[32,16]', 'A=A.npy', 'B=B.npy']
PTX = ['tile.ptx', '--grid', '1', '--block', '64', 'out:-=f32[32,8]', 'A16.npy', 'B16.npy']
LOOP = ['module.co:hand_on', '--grid', '3', '--block', '256', 'out:-=u32[768]', 'u32:2000000']


def find_schema():
    try:
        import debugpy
        import jsonschema
    except ImportError:
        return None
    path = os.path.join(os.path.dirname(debugpy.__file__), '_vendored', 'pydevd', '_pydevd_bundle', '_debug_adapter',
                        'debugProtocol.json')
    if not os.path.exists(path):
        return None
    with open(path) as file:
        schema = json.load(file)
    validators = {}

    def check(message, asked):
        if message['type'] == 'event':
            name = message['event'][0].upper() + message['event'][1:] + 'Event'
        elif message['success']:
            name = asked[0].upper() + asked[1:] + 'Response'
        else:
            name = 'Response'
        assert name in schema['definitions'], name
        if name not in validators:
            validators[name] = jsonschema.Draft4Validator(
                {'$ref': '#/definitions/' + name, 'definitions': schema['definitions']})
        validators[name].validate(message)
    return check


CHECK = find_schema()
SEEN = 0


class Client:
    """Sends requests and keeps what comes."""

    def __init__(self, words, folder=DATA):
        self.process = subprocess.Popen([PROGRAM, 'debug', '--dap'] + words, cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.seq = 0
        self.asked = {}
        self.events = []
        self.messages = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        out = self.process.stdout
        while True:
            line = out.readline()
            if not line:
                self.messages.put(None)
                return
            assert line.startswith(b'Content-Length: ') and line.endswith(b'\r\n'), line
            assert out.readline() == b'\r\n'
            self.messages.put(json.loads(out.read(int(line[16:]))))

    def take(self):
        global SEEN
        message = self.messages.get(timeout=30)
        assert message is not None, self.process.stderr.read()
        if CHECK:
            CHECK(message, self.asked.get(message.get('request_seq')))
        SEEN += 1
        return message

    def send(self, body):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
        self.process.stdin.flush()

    def post(self, command, **arguments):
        self.seq += 1
        self.asked[self.seq] = command
        self.send({'seq': self.seq, 'type': 'request', 'command': command, 'arguments': arguments})
        return self.seq

    def answer(self, seq):
        while True:
            message = self.take()
            if message['type'] == 'response':
                assert message['request_seq'] == seq and message['command'] == self.asked[seq], message
                return message
            self.events.append(message)

    def ask(self, command, **arguments):
        message = self.answer(self.post(command, **arguments))
        assert message['success'], message
        return message.get('body', {})

    def refused(self, command, **arguments):
        message = self.answer(self.post(command, **arguments))
        assert not message['success'] and message['message'], message
        return message['message']

    def event(self, name):
        while True:
            for i, event in enumerate(self.events):
                if event['event'] == name:
                    del self.events[:i + 1]
                    return event['body']
            message = self.take()
            assert message['type'] == 'event', message
            self.events.append(message)

    def begin(self, **launch):
        can = self.ask('initialize', adapterID='lanewise', linesStartAt1=True, columnsStartAt1=True)
        assert can['supportsStepBack'] and can['supportsDataBreakpoints']
        self.ask('launch', **launch)
        self.event('initialized')

    def leave(self, status=0):
        self.ask('disconnect')
        assert self.process.wait(timeout=30) == status

    def top(self, thread):
        return self.ask('stackTrace', threadId=thread)['stackFrames'][0]

    def scope(self, thread, name):
        for scope in self.ask('scopes', frameId=thread)['scopes']:
            if scope['name'] == name:
                return scope['variablesReference']
        raise AssertionError('no scope ' + name)

    def variables(self, reference, **window):
        return self.ask('variables', variablesReference=reference, **window)['variables']


def value_a(i, k):
    return (3 * i + k) % 17 - 8


def value_b(j, k):
    return (5 * j + 7 * k) % 13 / 4 - 1.5


def tiles(c, thread):
    """The operands of the next matrix instruction, by name, as rows of numbers."""
    found = {}
    for operand in c.variables(c.scope(thread, 'Matrices')):
        rows = c.variables(operand['variablesReference'])
        assert len(rows) == operand['indexedVariables']
        found[operand['name']] = [[float(v) for v in row['value'].split()] for row in rows]
        cells = c.variables(rows[1]['variablesReference'])
        assert ' '.join(cell['value'] for cell in cells) == rows[1]['value']
    return found


def amd():
    c = Client(TILE)
    c.begin()
    points = c.ask('setBreakpoints', source={'path': '/elsewhere/tile.hip'}, breakpoints=[{'line': 22}, {'line': 24}, {'line': 99}])
    assert [p['verified'] for p in points['breakpoints']] == [True, True, False], points
    assert points['breakpoints'][1]['line'] == 25 and 'message' in points['breakpoints'][2]
    points = c.ask('setBreakpoints', source={'path': '/elsewhere/tile.hip'}, breakpoints=[{'line': 22}])
    c.ask('setExceptionBreakpoints', filters=[])
    c.ask('configurationDone')
    assert c.event('stopped')['reason'] == 'entry'
    threads = c.ask('threads')['threads']
    assert [t['name'] for t in threads] == ['workgroup 0,0,0 wave 0', 'workgroup 0,0,0 wave 1']
    frame = c.top(1)
    assert frame['source']['path'] == os.path.join(DATA, 'tile.hip') and frame['line'] == 12
    assert c.ask('continue', threadId=1)['allThreadsContinued']
    stop = c.event('stopped')
    assert stop['reason'] == 'breakpoint' and stop['hitBreakpointIds'] == [points['breakpoints'][0]['id']]
    assert c.top(stop['threadId'])['line'] == 22
    c.ask('setBreakpoints', source={'path': '/elsewhere/tile.hip'}, breakpoints=[])
    assert c.ask('setFunctionBreakpoints', breakpoints=[{'name': 'matrix'}])['breakpoints'][0]['verified']
    if ' v_mfma' not in c.top(stop['threadId'])['name']:
        c.ask('continue', threadId=1)
        stop = c.event('stopped')
    t = tiles(c, stop['threadId'])
    for i in range(16):
        for k in range(16):
            assert t['A'][i][k] == value_a(i, k) and t['B'][k][i] == value_b(i, k), (i, k)
    assert len(t['C']) == 16 and not any(any(row) for row in t['C'])
    # the second of two, one instruction at a time
    for _ in range(2):
        c.ask('next', threadId=1, granularity='instruction')
        assert c.event('stopped')['reason'] == 'step'
    t = tiles(c, 1)
    for i in range(16):
        for j in range(16):
            assert t['A'][i][j] == value_a(i, 16 + j)
            assert t['C'][i][j] == sum(value_a(i, k) * value_b(j, k) for k in range(16))
    v0 = [v for v in c.variables(c.scope(1, 'Vector registers')) if v['name'] == 'v0'][0]
    lane = c.variables(v0['variablesReference'], start=17, count=1)[0]
    # lane 17 has rows 4.. of column 1: D of the first step
    first = sum(value_a(4, k) * value_b(1, k) for k in range(16))
    assert lane['name'] == 'lane 17' and 'f32 %g,' % first in lane['value'], (lane, first)
    c.ask('stepBack', threadId=1, granularity='instruction')
    c.event('stopped')
    assert c.top(1)['name'].startswith('tile +0xb8 ')
    more = c.ask('disassemble', memoryReference=c.top(1)['instructionPointerReference'], instructionOffset=-2,
                 instructionCount=4)['instructions']
    assert [m['address'] for m in more] == ['0xac', '0xb0', '0xb8', '0xbc'] and more[1]['instruction'].startswith('v_mfma')
    far = c.ask('disassemble', memoryReference='0x0', instructionOffset=-2, instructionCount=3)['instructions']
    assert len(far) == 3 and far[0]['presentationHint'] == 'invalid' and far[2]['address'] == '0x0'
    # data
    info = c.ask('dataBreakpointInfo', name='C[2,7]')
    assert info['dataId'] == 'C[2,7]' and 'write' in info['accessTypes']
    assert c.ask('dataBreakpointInfo', name='Z')['dataId'] is None
    c.ask('setFunctionBreakpoints', breakpoints=[])
    watch = c.ask('setDataBreakpoints', breakpoints=[{'dataId': 'C[2,7]', 'accessType': 'write'}])['breakpoints'][0]
    c.ask('continue', threadId=1)
    stop = c.event('stopped')
    assert stop['reason'] == 'data breakpoint' and stop['hitBreakpointIds'] == [watch['id']] and 'lane 7' in stop['text']
    arrays = {v['name']: v for v in c.variables(c.scope(stop['threadId'], 'Arrays'))}
    want = sum(value_a(2, k) * value_b(7, k) for k in range(32))
    cell = c.variables(arrays['C']['variablesReference'], start=39, count=1)
    assert cell == [{'name': '[2,7]', 'value': '%g' % want, 'variablesReference': 0}], cell
    read = c.ask('readMemory', memoryReference=arrays['C']['memoryReference'], offset=4 * 39, count=4)
    assert struct.unpack('<f', base64.b64decode(read['data'])) == (want,)
    assert c.ask('readMemory', memoryReference='0x8', count=4)['unreadableBytes'] == 4
    end = c.ask('readMemory', memoryReference=arrays['C']['memoryReference'], offset=2044, count=100)
    assert len(base64.b64decode(end['data'])) == 4 and end['unreadableBytes'] == 96
    assert c.variables(c.scope(1, 'LDS'), start=0, count=2)[1]['name'] == '0x4'
    names = [v['name'] for v in c.variables(c.scope(1, 'Wave'))]
    assert names == ['exec', 'vcc', 'm0', 'scc', 'mode']
    # the console
    assert c.ask('evaluate', expression='print exec', context='repl', frameId=1)['result'] == 'exec x64: ffffffffffffffff\n'
    assert 'C' in c.refused('evaluate', expression='memory D', context='repl') or True
    assert c.ask('evaluate', expression='v0 f32 lane 3', context='hover', frameId=1)['result'].startswith('v0 f32 lane 3: ')
    c.ask('evaluate', expression='goto 5', context='repl')
    assert c.event('stopped')['reason'] == 'step'
    c.ask('setDataBreakpoints', breakpoints=[])
    c.ask('setFunctionBreakpoints', breakpoints=[{'name': 'barrier'}, {'name': 'no_such'}])
    c.ask('continue', threadId=1)
    assert c.event('stopped')['reason'] == 'breakpoint'
    assert ' s_barrier' in c.top(1)['name']
    c.ask('continue', threadId=1)
    second = c.event('stopped')['threadId']
    assert second == 2 and c.ask('threads')['threads'][0]['name'].endswith('waits at a barrier that 1 of 2 waves have reached')
    c.ask('reverseContinue', threadId=2)
    assert c.event('stopped')['threadId'] == 1
    c.ask('setFunctionBreakpoints', breakpoints=[])
    c.ask('setInstructionBreakpoints', breakpoints=[{'instructionReference': '0xb0', 'offset': 12}])
    c.ask('continue', threadId=1)
    assert c.event('stopped')['reason'] == 'breakpoint' and c.top(1)['name'].startswith('tile +0xbc ')
    c.ask('restart')
    assert c.event('stopped')['reason'] == 'entry'
    c.ask('setInstructionBreakpoints', breakpoints=[])
    c.ask('continue', threadId=1)
    assert c.event('exited')['exitCode'] == 0
    c.event('terminated')
    assert c.refused('stackTrace', threadId=1) and c.refused('next', threadId=77)
    assert c.refused('stepOut', threadId=1) and c.refused('nonsense') and c.refused('variables', variablesReference=999)
    c.leave()


def ptx():
    c = Client(PTX)
    c.begin(stopOnEntry=True)
    assert c.ask('setBreakpoints', source={'path': 'tile.cu'}, breakpoints=[{'line': 12}])['breakpoints'][0]['verified']
    c.ask('setFunctionBreakpoints', breakpoints=[{'name': 'matrix'}])
    c.ask('configurationDone')
    c.event('stopped')
    for _ in range(9):
        c.ask('continue', threadId=1)
        if ' mma.sync' in c.top(c.event('stopped')['threadId'])['name']:
            break
    t = tiles(c, 1)
    assert t['A'][5] == [value_a(5, k) for k in range(16)] and t['B'][5] == [value_b(j, 5) for j in range(8)]
    names = [v['name'] for v in c.variables(c.scope(1, 'Registers'))]
    assert '%r1' in names and '%rd1' in names and '%rd1+1' in names
    c.ask('next', threadId=1)
    c.event('stopped')
    assert c.top(1)['line'] == 17, c.top(1)
    c.leave()


def fault():
    c = Client(['tile.co', '--grid', '1', '--block', '128', 'C=null', 'A=A.npy', 'B=B.npy'])
    c.begin(stopOnEntry=False)
    c.ask('configurationDone')
    stop = c.event('stopped')
    assert stop['reason'] == 'exception' and 'null pointer' in stop['text']
    assert 'global_store' in c.top(stop['threadId'])['name']
    c.leave()


def pausing():
    """A long launch is paused, looked at while it runs, and left."""
    c = Client(LOOP, os.path.join(os.path.dirname(DATA), 'machine'))
    c.begin(stopOnEntry=False)
    c.ask('configurationDone')
    assert len(c.ask('threads')['threads']) == 4  # while it runs
    c.ask('pause', threadId=1)
    assert c.event('stopped')['reason'] == 'pause'
    c.ask('continue', threadId=1)
    c.ask('disconnect')
    assert c.process.wait(timeout=30) == 0


def hostile():
    """Wrong messages are refused, each with a sentence, and none ends in a crash."""
    c = Client(TILE)
    for body in (b'{', b'', b'[1,2', b'"\xff"', b'[' * 5000, b'{"seq": 1}', b'null', b'{"a": "\\ud800"}', b'01',
                 b'{"type": "request", "command": 3, "seq": 1}'):
        c.send(body)
        assert c.event('output')['category'] == 'important'
    c.begin()
    for command in ('setBreakpoints', 'setInstructionBreakpoints', 'setDataBreakpoints', 'setFunctionBreakpoints',
                    'evaluate', 'variables', 'scopes', 'stackTrace', 'readMemory', 'disassemble', 'dataBreakpointInfo'):
        for arguments in ({}, {'breakpoints': 3, 'source': 4}, {'breakpoints': [3, None, {}], 'source': {'path': ''}},
                          {'variablesReference': -1, 'frameId': 10 ** 17, 'threadId': 0.5, 'count': -1},
                          {'memoryReference': 'zzz', 'instructionCount': 10 ** 9, 'count': 10 ** 12, 'offset': -5},
                          {'expression': 'print ' + 'v' * 9000}, {'expression': 'x' * 3000, 'name': 'y' * 3000}):
            c.answer(c.post(command, **arguments))
    c.leave()
    for bad in (b'Content-Length: 99999999999999999999\r\n\r\n', b'Content-Length: 2000000\r\n\r\n', b'Content-Length: x\r\n\r\n',
                b'X: 1\r\n\r\n', b'a' * 5000, b'Content-Length: 5\r\n\r\n{'):
        run = subprocess.run([PROGRAM, 'debug', '--dap'] + TILE, cwd=DATA, input=bad, capture_output=True, timeout=30)
        assert run.returncode == 2 and run.stderr.startswith(b'lanewise: debug: --dap: '), (bad[:40], run)
    run = subprocess.run([PROGRAM, 'debug', '--dap'] + TILE, cwd=DATA, input=b'', capture_output=True, timeout=30)
    assert run.returncode == 0 and not run.stdout


def chance(seed, words, count):
    """Random requests with random arguments: each gets its answer, and all stay valid."""
    draw = random.Random(seed)
    pool = [0, 1, 2, 3, -1, 7, 22, 10 ** 12, True, None, '', 'A', 'C[2,7]', 'v0', '0xb0', '0x1000000000', 'instruction', 'line',
            'matrix', 's_*', 'tile.hip', 'repl', 'step 3', 'back 2', 'waves', 'print v0:3 f16', 'matrix A', 'memory 0 f32 3x3', 'lds 0', []]
    names = ['threadId', 'frameId', 'variablesReference', 'start', 'count', 'expression', 'context', 'granularity', 'name',
             'memoryReference', 'offset', 'instructionOffset', 'instructionCount', 'stopOnEntry']
    commands = ['setBreakpoints', 'setFunctionBreakpoints', 'setInstructionBreakpoints', 'setDataBreakpoints', 'dataBreakpointInfo',
                'threads', 'stackTrace', 'scopes', 'variables', 'variables', 'evaluate', 'evaluate', 'continue', 'next', 'stepIn',
                'stepBack', 'reverseContinue', 'pause', 'disassemble', 'readMemory', 'restart', 'configurationDone']
    c = Client(words)
    c.begin()
    for _ in range(count):
        arguments = {name: draw.choice(pool) for name in draw.sample(names, 6)}
        arguments['source'] = {'path': draw.choice(['tile.hip', '/a/tile.cu', 'x'])}
        arguments['breakpoints'] = [{'line': draw.randrange(30), 'name': draw.choice(pool), 'dataId': draw.choice(pool),
                                     'instructionReference': draw.choice(pool)} for _ in range(draw.randrange(3))]
        c.answer(c.post(draw.choice(commands), **arguments))
    c.answer(c.post('disconnect'))
    assert c.process.wait(timeout=30) == 0


for test in (amd, ptx, fault, pausing, hostile):
    test()
chance(1, TILE, 600)
chance(2, PTX, 600)
print('%d messages, %s' % (SEEN, 'all valid by the schema' if CHECK else 'not compared with the schema: debugpy or jsonschema is missing'))
