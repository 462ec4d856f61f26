# SPDX-License-Identifier: MIT
"""The C library: where it is, the types of its functions, and calls that raise an exception with the error message."""
import ctypes as c
import os
from typing import List

from . import _structs as s
from .errors import ERRORS, LanewiseError

_P, _REF, _STATUS, _TEXT, _SIZE = c.c_void_p, c.c_void_p, c.c_int, c.c_char_p, c.c_size_t
_U32, _U64 = c.c_uint32, c.c_uint64

# name: (result, arguments). _REF is a pointer that the caller passes with byref, _P a handle or data.
PROTOTYPES = {
    'lw_version': (_TEXT, []),
    'lw_abi_version': (c.c_int, []),
    'lw_status_text': (_TEXT, [_STATUS]),
    'lw_label_name': (_TEXT, [_U32]),
    'lw_arch_get': (c.POINTER(s.lw_arch_info), [_U32]),
    'lw_arch_find': (_STATUS, [_TEXT, _REF]),
    'lw_arch_sibling_note': (_TEXT, [_TEXT]),
    'lw_arch_product': (_TEXT, [_TEXT]),
    'lw_arch_name_at': (_TEXT, [_SIZE]),
    'lw_operand_name': (_TEXT, [_U32]),
    'lw_operand_find': (_STATUS, [_TEXT, _REF]),
    'lw_insn_count': (_SIZE, [_U32]),
    'lw_insn_at': (_P, [_U32, _SIZE]),
    'lw_insn_find': (_STATUS, [_U32, _TEXT, _REF, _REF]),
    'lw_insn_fill_info': (_STATUS, [_U32, _P, _REF]),
    'lw_insn_parse': (_STATUS, [_U32, _TEXT, _REF, _REF, _REF]),
    'lw_insn_print': (_STATUS, [_U32, _P, _REF, _REF, _SIZE, _REF]),
    'lw_insn_operand': (_STATUS, [_U32, _P, _U32, _REF, _REF, _REF]),
    'lw_mods_parse': (_STATUS, [_U32, _P, _TEXT, _REF, _REF]),
    'lw_mods_check': (_STATUS, [_U32, _P, _REF, _REF]),
    'lw_mods_print': (_STATUS, [_U32, _P, _REF, _REF, _SIZE, _REF]),
    'lw_reading_at': (c.POINTER(s.lw_reading), [_SIZE]),
    'lw_reading_find': (_STATUS, [_TEXT, _REF, _REF]),
    'lw_reading_concerns': (c.c_bool, [_U32, _P, _REF]),
    'lw_layout_create': (_STATUS, [_U32, _P, _U32, c.c_uint, _REF, _REF, _REF]),
    'lw_layout_create_indexed': (_STATUS, [_U32, _P, c.c_uint, _REF, _P, _SIZE, _REF, _REF]),
    'lw_layout_free': (None, [_P]),
    'lw_layout_fill_info': (_STATUS, [_P, _REF]),
    'lw_layout_entries': (_STATUS, [_P, _P, _SIZE, _REF]),
    'lw_layout_places': (_STATUS, [_P, c.c_uint, c.c_uint, c.c_uint, _P, _SIZE, _REF]),
    'lw_layout_elements': (_STATUS, [_P, c.c_uint, c.c_uint, _P, _SIZE, _REF]),
    'lw_layout_format_find': (_STATUS, [_TEXT, _REF]),
    'lw_layout_print_options_init': (None, [_REF, _SIZE]),
    'lw_layout_print': (_STATUS, [_P, _U32, _REF, s.lw_sink, _P, _REF]),
    'lw_notation_name': (_TEXT, [_U32]),
    'lw_layout_fill_judgement': (_STATUS, [_P, _TEXT, _SIZE, _REF, _REF]),
    'lw_layout_print_wrong': (_STATUS, [_P, _TEXT, _SIZE, s.lw_sink, _P, _REF]),
    'lw_layout_guesses': (_STATUS, [_TEXT, _SIZE, _U32, _REF, _SIZE, _REF, _REF]),
    'lw_layout_moves': (_STATUS, [_P, _P, _U32, _U32, _P, _SIZE, _REF, _REF]),
    'lw_notation_read': (_STATUS, [_TEXT, _SIZE, _U32, _U32, _U32, _U32, _REF, _REF, _REF]),
    'lw_notation_print': (_STATUS, [_REF, _U32, _U32, s.lw_sink, _P, _REF]),
    'lw_triton_linear': (_STATUS, [_TEXT, _SIZE, _P, _U32, _U32, s.lw_sink, _P, _REF]),
    'lw_cute_evaluate': (_STATUS, [_TEXT, _SIZE, s.lw_sink, _P, _REF]),
    'lw_layout_probe': (_STATUS, [_U32, _P, c.c_uint, _REF, s.lw_sink, _P, _REF]),
    'lw_mma_aspect_name': (_TEXT, [_U32]),
    'lw_mma_create': (_STATUS, [_U32, _P, _REF, _REF, _REF]),
    'lw_mma_free': (None, [_P]),
    'lw_mma_execute_registers': (_STATUS, [_P, _REF, _REF]),
    'lw_mma_check_registers': (_STATUS, [_P, _REF, _REF]),
    'lw_mma_execute_matrices': (_STATUS, [_P, _REF, _REF]),
    'lw_mma_check_matrices': (_STATUS, [_P, _REF, _REF]),
    'lw_mma_fill_shape': (_STATUS, [_P, _REF]),
    'lw_mma_get_evidence': (_STATUS, [_P, _U32, _REF]),
    'lw_mma_weakest': (_U32, [_P, _U32]),
    'lw_mma_open_matrices': (_STATUS, [_P, _REF, _REF]),
    'lw_mma_open_at': (c.POINTER(s.lw_reading), [_P, _U32, _SIZE]),
    'lw_mma_get_rule': (_STATUS, [_P, _REF]),
    'lw_mma_get_reading': (c.POINTER(s.lw_reading), [_P, _TEXT]),
    'lw_mma_explain_matrices': (_STATUS, [_P, _REF, c.c_uint, c.c_uint, c.c_uint, s.lw_mma_explain_fn, _P]),
    'lw_mma_decode': (_STATUS, [_TEXT, _U64, _REF, _SIZE]),
    'lw_members_read': (_STATUS, [_P, _SIZE, _REF, _REF]),
    'lw_members_count': (_SIZE, [_P]),
    'lw_members_at': (c.POINTER(s.lw_member), [_P, _SIZE]),
    'lw_members_free': (None, [_P]),
    'lw_load_options_init': (None, [_REF, _SIZE]),
    'lw_program_load': (_STATUS, [_P, _SIZE, _REF, _REF, _REF]),
    'lw_program_load_file': (_STATUS, [_TEXT, _REF, _REF, _REF]),
    'lw_program_free': (None, [_P]),
    'lw_program_arch': (_U32, [_P]),
    'lw_program_target_id': (_TEXT, [_P]),
    'lw_program_abi_version': (c.c_uint, [_P]),
    'lw_program_kernel_count': (_SIZE, [_P]),
    'lw_program_kernel_at': (c.POINTER(s.lw_kernel_info), [_P, _SIZE]),
    'lw_program_find': (_STATUS, [_P, _TEXT, _REF, _REF]),
    'lw_module_load': (_STATUS, [_P, _P, _REF, _REF]),
    'lw_module_unload': (None, [_P]),
    'lw_module_symbol': (_STATUS, [_P, _TEXT, _REF, _REF, _REF]),
    'lw_memory_create': (_STATUS, [_REF]),
    'lw_memory_free': (None, [_P]),
    'lw_memory_set_limit': (_STATUS, [_P, _U64]),
    'lw_memory_set_beside': (_STATUS, [_P, _U64, _REF]),
    'lw_memory_allocate': (_STATUS, [_P, _TEXT, _U64, _U32, _REF, _REF]),
    'lw_memory_release': (_STATUS, [_P, _U64, _REF]),
    'lw_memory_register': (_STATUS, [_P, _TEXT, _P, _U64, _U32, _REF]),
    'lw_memory_host': (_P, [_P, _U64, _U64]),
    'lw_memory_watch_stores': (_STATUS, [_P, _U64, _REF]),
    'lw_memory_unstored': (_STATUS, [_P, _U64, _U64, _U64, _REF, _REF]),
    'lw_memory_snapshot': (_STATUS, [_P, _REF, _REF]),
    'lw_memory_restore': (_STATUS, [_P, _P, _REF]),
    'lw_memory_keep': (_STATUS, [_P, _U64, _U64]),
    'lw_snapshot_free': (None, [_P]),
    'lw_tensor_map_encode': (_STATUS, [_REF, _P, _REF]),
    'lw_launch_options_init': (None, [_REF, _SIZE]),
    'lw_launch': (_STATUS, [_REF, _REF, _REF]),
    'lw_launch_result_free': (None, [_P]),
    'lw_capture_read': (_STATUS, [_P, _SIZE, _REF, _REF]),
    'lw_capture_free': (None, [_P]),
    'lw_program_load_for': (_STATUS, [_P, _SIZE, _TEXT, _U64, _REF, _REF]),
    'lw_memory_allocate_at': (_STATUS, [_P, _TEXT, _U64, _U64, _U32, _REF]),
    'lw_memory_read': (_STATUS, [_P, _U64, _P, _U64]),
    'lw_memory_write': (_STATUS, [_P, _U64, _P, _U64]),
    'lw_why_kind_name': (_TEXT, [_U32]),
    'lw_why_find': (_STATUS, [_REF, _U64, _U32, _REF, _REF, _REF]),
    'lw_why_free': (None, [_P]),
    'lw_why_node_count': (_SIZE, [_P]),
    'lw_why_node_at': (c.POINTER(s.lw_why_node), [_P, _SIZE]),
    'lw_why_edge_at': (c.POINTER(s.lw_why_edge), [_P, _SIZE, _SIZE]),
    'lw_why_groups': (_U64, [_P]),
    'lw_why_instructions': (_U64, [_P]),
    'lw_why_trace': (c.c_bool, [_P, _SIZE, c.c_uint, c.c_uint, _REF]),
    'lw_why_find_products': (_STATUS, [_P, _REF, _SIZE, _REF]),
    'lw_why_products_count': (_SIZE, [_P]),
    'lw_why_products_at': (c.POINTER(s.lw_why_product), [_P, _SIZE]),
    'lw_why_products_free': (None, [_P]),
    'lw_why_explain': (_STATUS, [_P, _REF, _REF, _TEXT, _SIZE]),
    'lw_why_inputs': (_STATUS, [_P, _SIZE, _REF, _SIZE, _REF]),
    'lw_footprint_create': (_STATUS, [_REF]),
    'lw_footprint_free': (None, [_P]),
    'lw_footprint_runs': (_SIZE, [_P, _U64, _U64, c.c_bool, _REF, _SIZE]),
    'lw_footprint_within': (_STATUS, [_P, _REF, _SIZE, _REF]),
    'lw_launch_part_init': (None, [_REF, _SIZE]),
    'lw_launch_part_read': (_STATUS, [_P, _SIZE, _REF, _REF]),
    'lw_launch_part_free': (None, [_P]),
    'lw_launch_part_write': (_STATUS, [_REF, s.lw_sink, _P, _REF]),
    'lw_launch_parts_join': (_STATUS, [_REF, _SIZE, _REF, _REF]),
    'lw_session_begin': (_STATUS, [_REF, _REF, _REF]),
    'lw_step_options_init': (None, [_REF, _SIZE]),
    'lw_session_step': (_STATUS, [_P, _REF, _REF, _REF]),
    'lw_session_cancel': (None, [_P]),
    'lw_session_run': (_STATUS, [_P, _REF, _REF]),
    'lw_session_drop': (None, [_P]),
    'lw_session_wave_count': (_SIZE, [_P]),
    'lw_session_wave_at': (c.c_bool, [_P, _SIZE, _REF]),
    'lw_session_wave_line': (c.c_bool, [_P, _SIZE, _REF]),
    'lw_session_wave_exec': (_U64, [_P, _SIZE]),
    'lw_session_value': (_U32, [_P, _SIZE, _U32, c.c_uint, c.c_uint]),
    'lw_session_register_count': (c.c_uint, [_P, _SIZE, _U32]),
    'lw_session_lds': (_P, [_P, _SIZE, _REF]),
    'lw_session_save': (_STATUS, [_P, _REF, _REF]),
    'lw_session_restore': (_STATUS, [_P, _P, _REF]),
    'lw_checkpoint_free': (None, [_P]),
    'lw_trace_options_default': (s.lw_trace_options, []),
    'lw_trace_create': (_STATUS, [_REF, _REF]),
    'lw_trace_observer': (_P, [_P]),
    'lw_trace_free': (None, [_P]),
    'lw_uninit_create': (_STATUS, [_REF]),
    'lw_uninit_observer': (_P, [_P]),
    'lw_uninit_count': (_SIZE, [_P]),
    'lw_uninit_at': (c.POINTER(s.lw_uninit_report), [_P, _SIZE]),
    'lw_uninit_free': (None, [_P]),
    'lw_banks_create': (_STATUS, [_REF]),
    'lw_banks_observer': (_P, [_P]),
    'lw_banks_count': (_SIZE, [_P]),
    'lw_banks_at': (c.POINTER(s.lw_banks_report), [_P, _SIZE]),
    'lw_banks_find_repair': (c.POINTER(s.lw_banks_repair), [_P]),
    'lw_banks_free': (None, [_P]),
    'lw_coalescing_create': (_STATUS, [_REF]),
    'lw_coalescing_observer': (_P, [_P]),
    'lw_coalescing_count': (_SIZE, [_P]),
    'lw_coalescing_at': (c.POINTER(s.lw_coalescing_report), [_P, _SIZE]),
    'lw_coalescing_free': (None, [_P]),
    'lw_severity_name': (_TEXT, [_U32]),
    'lw_check_name_at': (_TEXT, [_SIZE]),
    'lw_check_create': (_STATUS, [_TEXT, _REF, _REF]),
    'lw_check_observer': (_P, [_P]),
    'lw_check_count': (_SIZE, [_P]),
    'lw_check_at': (c.POINTER(s.lw_finding), [_P, _SIZE]),
    'lw_check_unchecked_at': (_TEXT, [_P, _SIZE]),
    'lw_check_free': (None, [_P]),
    'lw_disasm_fill': (_STATUS, [_U32, _P, _SIZE, _U64, _REF]),
}

# The binary interface that the structs of _structs.py belong to: lw_abi_version, and the library that has it.
ABI, SONAME = 2, 'liblanewise.so.0.2'


def _find() -> str:
    named = os.environ.get('LANEWISE_LIBRARY')
    if named:
        return named
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'liblanewise.so')
    return beside if os.path.exists(beside) else SONAME


def _load() -> c.CDLL:
    path = _find()
    try:
        library = c.CDLL(path)
    except OSError as why:
        raise ImportError('lanewise: the shared library cannot be loaded (%s); install the wheel, or let LANEWISE_LIBRARY name the '
                          'liblanewise.so of a build' % why) from None
    for name, (result, arguments) in PROTOTYPES.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError('lanewise: %s has no %s: it is not the version for this package' % (path, name)) from None
        function.restype, function.argtypes = result, arguments
    if library.lw_abi_version() != ABI:
        raise ImportError('lanewise: %s has binary interface %d, this package needs %d' % (path, library.lw_abi_version(), ABI))
    return library


lib = _load()


class Cancel:
    """Cancels a session from any thread, and does nothing once the session was dropped: C is called with the interpreter's lock held,
    as `drop` changes the pointer."""

    _cancel = c.PyDLL(lib._name).lw_session_cancel
    _cancel.restype, _cancel.argtypes = None, [_P]

    def __init__(self):
        self.session = c.c_void_p()

    def __call__(self):
        self._cancel(self.session)

    def drop(self):
        pointer, self.session = self.session, None
        if pointer:
            lib.lw_session_drop(pointer)


def fail(status: int, error=None, **details) -> None:
    """Raises the exception of a status with its message. `details` become attributes of the exception."""
    sentence = error.text.decode('utf-8', 'replace') if error is not None and error.text else lib.lw_status_text(status).decode()
    raise ERRORS.get(status, LanewiseError)(sentence, status, **details)


def check(status: int, error=None) -> None:
    if status:
        fail(status, error)


def call(name: str, *arguments) -> None:
    """Calls a function whose last parameter receives the error message."""
    error = s.lw_error()
    status = getattr(lib, name)(*arguments, c.byref(error))
    if status:
        fail(status, error)


def text(value) -> str:
    """A C string as str; None is ''."""
    return value.decode('utf-8', 'replace') if value else ''


def sink(write):
    """A lw_sink that calls write(bytes). Keep the returned object while C uses it."""
    def take(_, piece, size):
        write(c.string_at(piece, size))
        return 0
    return s.lw_sink(take)


def collect(print_to) -> str:
    """Returns the text that print_to(sink) writes."""
    pieces: List[bytes] = []
    print_to(sink(pieces.append))
    return b''.join(pieces).decode('utf-8', 'replace')


def names(values):
    """Strings as a C array of strings, or None; used for readings."""
    values = [values] if isinstance(values, str) else list(values or ())
    return (c.c_char_p * len(values))(*[v.encode() for v in values]) if values else None
