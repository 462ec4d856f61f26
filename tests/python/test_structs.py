# SPDX-License-Identifier: MIT
"""The structs, functions and constants of the Python package match the public headers, according to a C program. Usage: CC first."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import unittest

import support
from lanewise import _c, _insn, _launch, _layout, _mma, _program, _result, _session, _structs, _why, errors

CC = sys.argv.pop(1)
HEADERS = os.path.join(support.ROOT, 'include', 'lanewise')


def run_c(lines):
    """Prints what the lines of main() print."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, 'ask.c'), os.path.join(folder, 'ask')
        with open(source, 'w') as f:
            f.write('#include <lanewise/lanewise.h>\n#include <stddef.h>\n#include <stdio.h>\n'
                    'int main(void)\n{\n' + '\n'.join(lines) + '\nreturn 0;\n}\n')
        subprocess.run([CC, '-I', os.path.join(support.ROOT, 'include'), '-I', os.path.join(support.BUILD, 'include'), source, '-o',
                        program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


class Structs(unittest.TestCase):
    def test_sizes_and_offsets(self):
        asked, want = [], []
        for name, kind in _structs.STRUCTS.items():
            asked.append('printf("%s %%zu\\n", sizeof(%s));' % (name, name))
            want.append('%s %d' % (name, ctypes.sizeof(kind)))
            for member, _ in kind._fields_:
                asked.append('printf("%s.%s %%zu %%zu\\n", offsetof(%s, %s), sizeof(((%s *)0)->%s));' % ((name, member) * 3))
                want.append('%s.%s %d %d' % (name, member, getattr(kind, member).offset, getattr(kind, member).size))
        self.assertGreater(len(want), 300)
        self.assertEqual(run_c(asked), want)

    def test_every_member_is_there(self):
        """A member that is added to a header but not here would leave the size unchanged if it fills padding."""
        text = ''.join(read(name) for name in os.listdir(HEADERS) if name.endswith('.h'))
        for name, kind in _structs.STRUCTS.items():
            body = re.search(r'typedef struct %s \{(.*?)\n\} %s;' % (name, name), text, re.S).group(1)
            members = [re.sub(r'\[.*', '', word).strip(' *()') for statement in body.split(';') for word in declared(statement)]
            self.assertEqual(members, [member for member, _ in kind._fields_], name)


def read(name):
    with open(os.path.join(HEADERS, name)) as f:
        return re.sub(r'/\*.*?\*/|^[ \t]*#.*?$', ' ', f.read(), flags=re.S | re.M)


def declared(statement):
    """The names in a member's declaration: 'const char *a, *b' has two."""
    statement = ' '.join(statement.split())
    if not statement:
        return []
    callback = re.match(r'.*\(\*(\w+)\)\(', statement)
    if callback:
        return [callback.group(1)]
    pointer = re.match(r'.*\(\*(\w+)\)\[', statement)
    if pointer:
        return [pointer.group(1)]
    return [re.sub(r'\[.*', '', part).split()[-1].lstrip('*') for part in statement.split(',')]


class Functions(unittest.TestCase):
    """Every function has as many parameters as its header says, each of the same size and kind."""

    SIZES = {'bool': ctypes.c_bool, 'size_t': ctypes.c_size_t, 'uint64_t': ctypes.c_uint64, 'int': ctypes.c_int,
             'unsigned': ctypes.c_uint, 'uint32_t': ctypes.c_uint32}

    def test_parameters(self):
        text = ' '.join(''.join(read(name) for name in sorted(os.listdir(HEADERS)) if name.endswith(('.h', '.in'))).split())
        for name, (result, arguments) in _c.PROTOTYPES.items():
            found = re.search(r'LW_API ([\w\s\*]*?)\b%s\(([^)]*)\)' % name, text)
            self.assertTrue(found, '%s is not in the headers' % name)
            parameters = [p.strip() for p in found.group(2).split(',') if p.strip() != 'void']
            self.assertEqual(len(parameters), len(arguments), name)
            self.check(name, found.group(1).strip(), result)
            for parameter, argument in zip(parameters, arguments):
                self.check(name, re.sub(r'\w+$', '', re.sub(r'(\w+)\[\w*\]$', r'*\1', parameter)).strip(), argument)

    def check(self, name, declared, kind):
        words = declared.replace('const', '').split()
        if declared.endswith('*') or words[0] in ('lw_sink', 'lw_mma_explain_fn'):
            self.assertTrue(kind in (ctypes.c_void_p, ctypes.c_char_p) or hasattr(kind, 'contents') or issubclass(kind, ctypes._CFuncPtr),
                            (name, declared, kind))
        elif declared == 'void':
            self.assertIsNone(kind, name)
        elif words[0] == 'lw_trace_options':
            self.assertIs(kind, _structs.lw_trace_options)
        elif words[0] in self.SIZES:
            self.assertIs(kind, self.SIZES[words[0]], (name, declared))
        else:  # an enumeration
            self.assertIn(kind, (ctypes.c_int, ctypes.c_uint32), (name, declared))


class Numbers(unittest.TestCase):
    def test_statuses(self):
        with open(os.path.join(HEADERS, 'status.h')) as f:
            rows = re.findall(r'ROW\((\w+),\s*"([^"]*)"', f.read())
        self.assertEqual(rows[0][0], 'OK')
        self.assertEqual(len(rows) - 1, len(errors.ERRORS))
        for number, (name, sentence) in list(enumerate(rows))[1:]:
            kind = errors.ERRORS[number]
            plain = name[2:].replace('_', '').lower()
            self.assertIn(plain, kind.__name__.lower(), name)
            self.assertEqual(_c.lib.lw_status_text(number).decode(), sentence)

    def test_enumerations(self):
        """The last name of each tuple is at the place of the header's last member."""
        for kind, names, last in (('LW_VERDICT', _layout._VERDICTS, 'DIFFERENT'), ('LW_SPACE', _why._SPACES, 'SCRATCH'), ('LW_OPERAND', _why._OPERANDS, 'SCALE_B'),
                                  ('LW_MMA_EXPLAIN', _mma._KINDS, 'HEAD'),
                                  ('LW_ARG', _program._KINDS, 'EITHER'), ('LW_DOING', _result._DOING, 'ENDED'),
                                  ('LW_PAUSE', _session.EVENTS, 'ARRIVED'), ('LW_ASYNC', _launch._ASYNC, 'RANDOM'),
                                  ('LW_SCHEDULE', _launch._SCHEDULES, 'RANDOM'), ('LW_NAMED', tuple(_session.NAMED) + ('',), 'COUNT'),
                                  ('LW_FILE', tuple(_session.FILES) + ('named', 'predicate', ''), 'COUNT'),
                                  ('LW_OPERAND', _insn._OPERANDS + ('',), 'COUNT')):
            self.assertEqual(run_c(['printf("%%d\\n", (int)%s_%s);' % (kind, last)]), [str(len(names) - 1)], kind)

    def test_constants(self):
        self.assertEqual(run_c(['printf("%d %d %d %d\\n", LW_ABI_VERSION, LW_E_STOPPED, LW_MMA_MODE_FP16_OVFL, '
                                'LW_MMA_MODE_F32_FLUSH_IN | LW_MMA_MODE_F32_FLUSH_OUT);']),
                         ['%d %d %d %d' % (_c.ABI, _launch._STOPPED, _mma._MODES['fp16_ovfl'],
                                           _mma._MODES['f32_flush_in'] | _mma._MODES['f32_flush_out'])])


unittest.main()
