# SPDX-License-Identifier: MIT
"""The structs of include/lanewise for ctypes. tests/python/test_structs.py compares every offset with the headers."""
import ctypes as c
from typing import Any, Dict

_U8, _U16, _U32, _U64, _TEXT, _SIZE = c.c_uint8, c.c_uint16, c.c_uint32, c.c_uint64, c.c_char_p, c.c_size_t

# By C name.
STRUCTS: Dict[str, Any] = {}


def _struct(name: str, *fields: Any, doc: str = '') -> Any:
    """One struct, from pairs (member names separated by blanks, type)."""
    members = [(word, kind) for words, kind in fields for word in words.split()]
    STRUCTS[name] = type(name, (c.Structure,), {'_fields_': members, '__doc__': doc})
    return STRUCTS[name]


lw_error = _struct('lw_error', ('text', c.c_char * 1024))

# ---- Instructions ----

lw_arch_info = _struct('lw_arch_info', ('name marketing vendor', _TEXT), ('elf_mach', _U32), ('has_matrix runs_kernels reads_code', c.c_bool))
lw_operand_info = _struct('lw_operand_info', ('present', c.c_bool), ('format', _TEXT), ('element_bits registers', _U8), ('columns', _U16), ('files', _TEXT))
lw_insn_info = _struct(
    'lw_insn_info', ('struct_size', _SIZE), ('mnemonic', _TEXT), ('aliases', _TEXT * 3), ('family encoding', _TEXT),
    ('arch archs', _U32), ('m n k blocks', _U16), ('wave_sizes wave tuple_align bytes', _U8), ('opcode', _U16), ('passes', _U8),
    ('cycles', _U16), ('passes_note', _TEXT), ('sparse scaled', c.c_bool), ('scale_k', _U8), ('c_inline moves', c.c_bool),
    ('ptx_isa', _U8), ('modifiers modifier_help move_help', _TEXT), ('operand', lw_operand_info * 7))
lw_ptx_mods = _struct(
    'lw_ptx_mods', ('a_type b_type c_type d_type a_col b_row satfinite round op kind scale_vec scale_type ordered selector '
                    'byte_a thread_a byte_b thread_b trans count space neg_a neg_b no_c', _U8))
lw_mods = _struct(
    'lw_mods', ('cbsz abid blgp neg op_sel op_sel_hi neg_lo neg_hi clamp index_key scale_row_a scale_row_b scale_fmt_a '
                'scale_fmt_b reuse_a reuse_b wave', _U8), ('readings', _U16), ('ptx', lw_ptx_mods))
lw_reading = _struct(
    'lw_reading', ('topic name', _TEXT), ('is_default', c.c_bool), ('label', _U32), ('text applies', _TEXT), ('about aspects', _U32),
    ('mods', _U16), ('former', _TEXT))

# ---- Layouts ----

lw_layout_info = _struct(
    'lw_layout_info', ('struct_size', _SIZE), ('insn', c.c_void_p), ('mnemonic', _TEXT), ('operand', _U32),
    ('format x_name y_name', _TEXT), ('x_count y_count blocks', _U16), ('width wave registers', _U8), ('evidence', _U32),
    ('note open', _TEXT), ('columns', _U16))
lw_layout_entry = _struct('lw_layout_entry', ('lane reg lsb msb block x y', _U16))
lw_layout_print_options = _struct(
    'lw_layout_print_options', ('struct_size', _SIZE), ('colour unfold', c.c_bool), ('columns', _U16), ('lane reg block x y', c.c_int))
lw_layout_judgement = _struct(
    'lw_layout_judgement', ('struct_size', _SIZE), ('verdict notation', _U32), ('places wrong', _SIZE), ('ks', _U16),
    ('k_of', _U16 * 512), ('text', c.c_char * 1024))

lw_layout_guess = _struct('lw_layout_guess', ('arch', _U32), ('insn', c.c_void_p), ('operand', _U32), ('wave', _U8), ('verdict', _U32))

# ---- Tensor maps ----

lw_tensor_map = _struct('lw_tensor_map', ('type rank', _U32), ('address', _U64), ('dims strides', _U64 * 5), ('box steps', _U32 * 5),
                        ('swizzle', _U32))

# ---- One matrix instruction ----

lw_mma_options = _struct(
    'lw_mma_options', ('struct_size', _SIZE), ('mods', c.POINTER(lw_mods)), ('wave', c.c_uint), ('readings', c.POINTER(_TEXT)),
    ('reading_count', _SIZE), ('reference_only', c.c_bool))
lw_mma_registers = _struct(
    'lw_mma_registers', ('a b c d index scale_a scale_b', c.c_void_p), ('c_constant', _U64),
    ('scale_a_constant scale_b_constant', _U8), ('mode', _U32))
lw_mma_matrices = _struct('lw_mma_matrices', ('a b c d index scale_a scale_b', c.c_void_p), ('mode', _U32))
lw_mma_shape = _struct(
    'lw_mma_shape', ('struct_size', _SIZE), ('insn', c.c_void_p), ('arch', _U32), ('m n k blocks a_k groups scale_k', _U16),
    ('a_format b_format c_format d_format', _TEXT),
    ('a_bits b_bits c_bits d_bits a_bytes b_bytes c_bytes d_bytes wave', _U8))
lw_mma_evidence = _struct('lw_mma_evidence', ('label', _U32), ('source', _TEXT))
lw_mma_rule = _struct('lw_mma_rule', ('recipe text', _TEXT))
lw_mma_explain_row = _struct(
    'lw_mma_explain_row', ('kind', _U32), ('group k', c.c_int), ('bits', _U64), ('text', _TEXT), ('stored_k', c.c_int))

# ---- Programs ----

lw_member = _struct('lw_member', ('container id target', _TEXT), ('arch', _U32), ('size', _U64))
lw_arg_info = _struct(
    'lw_arg_info', ('name type_name value_kind address_space', _TEXT), ('kind offset size pointee_align', _U32), ('is_const', c.c_bool))
lw_kernel_info = _struct(
    'lw_kernel_info', ('name', _TEXT), ('args', c.POINTER(lw_arg_info)), ('arg_count explicit_count', _SIZE),
    ('kernarg_size kernarg_align lds_size private_size wavefront_size max_workgroup_size', _U32), ('required_workgroup', _U32 * 3),
    ('vgprs agprs sgprs', _U32), ('max_workgroups cluster', _U32 * 3), ('dynamic_stack uniform_workgroup has_metadata', c.c_bool),
    ('warning unsupported approximate contracted', _TEXT))
lw_load_options = _struct(
    'lw_load_options', ('struct_size', _SIZE), ('arch', _U32), ('member', c.c_int), ('kernel', _TEXT), ('memory_limit', _U64))
lw_line = _struct('lw_line', ('file', c.c_char * 1024), ('line column', _U32))

lw_digit = _struct('lw_digit', ('radix lane bit row col k block', _U32))
lw_pair = _struct('lw_pair', ('lane bit row col k block', _U32))
lw_relation = _struct(
    'lw_relation', ('digits bases', _U32), ('digit', lw_digit * 9), ('base', lw_pair * 28), ('origin', lw_pair),
    ('pitch start lanes bits width rows cols ks blocks', _U32))

# ---- Launches ----

lw_allocation = _struct('lw_allocation', ('name', _TEXT), ('address size', _U64), ('access', _U32), ('host', c.c_void_p))
lw_arg = _struct('lw_arg', ('name', _TEXT), ('bytes', _TEXT), ('size', _SIZE), ('is_pointer', c.c_bool))
lw_progress = _struct('lw_progress', ('groups_done groups instructions', _U64))
lw_progress_fn = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(lw_progress))
lw_print_fn = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, _SIZE)
lw_sink = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, _SIZE)
lw_mma_explain_fn = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(lw_mma_explain_row))
lw_launch_options = _struct(
    'lw_launch_options', ('struct_size', _SIZE), ('program', c.c_void_p), ('kernel', _SIZE), ('memory', c.c_void_p),
    ('grid items block', _U32 * 3), ('dynamic_lds scratch', _U32), ('args', c.POINTER(lw_arg)), ('arg_count', _SIZE),
    ('kernarg', c.c_void_p), ('kernarg_size', _SIZE), ('threads', c.c_uint), ('budget', _U64), ('schedule', _U32), ('seed', _U64),
    ('only', c.c_void_p), ('only_count', _SIZE), ('readings', c.POINTER(_TEXT)), ('reading_count', _SIZE), ('poison', _U32),
    ('time_limit', c.c_double), ('observers', c.POINTER(c.c_void_p)), ('observer_count', _SIZE), ('progress', lw_progress_fn),
    ('progress_context', c.c_void_p), ('async', _U32), ('async_seed', _U64), ('module', c.c_void_p), ('print', lw_print_fn),
    ('print_context', c.c_void_p), ('cluster', _U32 * 3), ('footprint', c.c_void_p), ('part parts', _U32))
lw_byte_run = _struct('lw_byte_run', ('start size', _U64))
lw_launch_piece = _struct(
    'lw_launch_piece', ('name file', _TEXT), ('shape', c.c_void_p), ('shape_size', _SIZE), ('size', _U64), ('fill', c.c_int32),
    ('reserved', _U32), ('before', c.c_void_p), ('reads', c.POINTER(lw_byte_run)), ('read_count', _SIZE),
    ('writes', c.POINTER(lw_byte_run)), ('write_count', _SIZE), ('bytes', c.c_void_p))
lw_launch_part = _struct(
    'lw_launch_part', ('struct_size', _SIZE), ('number count', _U32), ('launch', c.c_uint8 * 32), ('about', _TEXT),
    ('pieces', c.POINTER(lw_launch_piece)), ('piece_count', _SIZE))
lw_fault = _struct(
    'lw_fault', ('kernel', c.c_char * 256), ('workgroup', _U32 * 3), ('wave', _U32), ('lane', c.c_int), ('pc code_offset', _U64),
    ('instruction', c.c_char * 200), ('source', lw_line), ('reason', c.c_char * 512), ('sentence', c.c_char * 1024))
lw_launch_count = _struct(
    'lw_launch_count', ('name', _TEXT), ('executed', _U64), ('label', _U32), ('is_matrix', c.c_bool), ('aspects', _U32), ('source', _TEXT))
lw_wave_stand = _struct(
    'lw_wave_stand', ('workgroup', _U32 * 3), ('wave doing', _U32), ('pc code_offset executed', _U64), ('instruction', c.c_char * 200),
    ('text', c.c_char * 160))
lw_lds_outside = _struct(
    'lw_lds_outside', ('times', _U64), ('lds_size', _U32), ('workgroup', _U32 * 3), ('wave', _U32), ('lane', c.c_int),
    ('code_offset', _U64), ('instruction', c.c_char * 200), ('address size', _U32), ('store', c.c_bool))
lw_launch_result = _struct(
    'lw_launch_result', ('status', c.c_int), ('groups waves instructions matrix_instructions', _U64),
    ('counts', c.POINTER(lw_launch_count)), ('count_count', _SIZE), ('weakest', _U32), ('seconds', c.c_double),
    ('threads', c.c_uint), ('schedule schedule_reason', _TEXT), ('repeated', c.c_bool), ('lds_outside', lw_lds_outside),
    ('faulted', c.c_bool), ('fault', lw_fault), ('stands', c.POINTER(lw_wave_stand)), ('stand_count', _SIZE),
    ('stand_sources', c.POINTER(lw_line)))
lw_capture_piece = _struct('lw_capture_piece', ('name', _TEXT), ('address size', _U64), ('before after', c.c_void_p))
lw_capture = _struct(
    'lw_capture', ('struct_size', _SIZE), ('kernel target api outcome about', _TEXT), ('grid items block cluster', _U32 * 3),
    ('dynamic_lds reserved', _U32), ('code', c.c_void_p), ('code_size', _SIZE), ('args', c.c_void_p), ('args_size', _SIZE),
    ('pieces', c.POINTER(lw_capture_piece)), ('piece_count', _SIZE))
lw_why_node = _struct(
    'lw_why_node', ('kind', _U32), ('exact', c.c_bool), ('instruction', _TEXT), ('code_offset', _U64), ('source', c.POINTER(lw_line)),
    ('number', _U64), ('workgroup', _U32 * 3), ('wave', _U32), ('lane', c.c_int), ('reg', _TEXT), ('value', _U32), ('space', _U32),
    ('address', _U64), ('size', _U32), ('region', _TEXT), ('region_base', _U64), ('insn mods', c.c_void_p), ('block row col', c.c_uint16),
    ('lsb bits', _U8), ('constant_c', c.c_bool), ('c', _U64))
lw_why_edge = _struct(
    'lw_why_edge', ('from to', _U32), ('role', _U32), ('bytes', _U8), ('shift', c.c_int8), ('operand', _U32), ('x y', c.c_uint16),
    ('at lsb bits', _U8))
lw_why_options = _struct('lw_why_options', ('struct_size', _SIZE), ('limit', _U64))
lw_why_origin = _struct('lw_why_origin', ('node', _U32), ('bit', _U8), ('copied', c.c_bool))
lw_why_array = _struct(
    'lw_why_array', ('name', _TEXT), ('address rows columns', _U64), ('dims size', _U32), ('data', c.c_void_p))
lw_why_element = _struct('lw_why_element', ('known', c.c_bool), ('node', _U32), ('array', _SIZE), ('row column number code', _U64))
lw_why_product = _struct('lw_why_product', ('node', _U32), ('count bits', _U32 * 7), ('element', c.POINTER(lw_why_element) * 7))
lw_why_target = _struct('lw_why_target', ('rows columns row column', _U64))
lw_why_range = _struct('lw_why_range', ('region', _TEXT), ('base first last', _U64))
lw_pause = _struct('lw_pause', ('reason', _U32), ('workgroup', _U32 * 3), ('wave', _U32))
lw_step_options = _struct(
    'lw_step_options', ('struct_size', _SIZE), ('instructions', _U64), ('events', _U32), ('workgroup', c.POINTER(_U32)),
    ('wave', c.c_int), ('breakpoints', c.POINTER(_U64)), ('breakpoint_count', _SIZE))

# ---- Observers ----

lw_trace_options = _struct(
    'lw_trace_options', ('struct_size', _SIZE), ('sink', lw_sink), ('sink_context', c.c_void_p), ('workgroup', c.POINTER(_U32)),
    ('wave', c.c_int), ('matrices', c.c_bool), ('limit', _U64))
lw_uninit_report = _struct(
    'lw_uninit_report', ('code_offset', _U64), ('instruction', _TEXT), ('workgroup', _U32 * 3), ('wave', _U32), ('lane', c.c_int),
    ('what', _TEXT), ('times', _U64), ('source', lw_line))
lw_banks_report = _struct(
    'lw_banks_report', ('code_offset', _U64), ('instruction', _TEXT), ('executed phases turns', _U64), ('max_degree', c.c_uint),
    ('assumed', c.c_bool), ('source', lw_line))
lw_bank_turns = _struct('lw_bank_turns', ('phases turns', _U64), ('degree inferred', _U32))
lw_banks_repair = _struct(
    'lw_banks_repair', ('requests', _SIZE), ('whole', c.c_bool), ('plain', lw_bank_turns), ('swizzled', c.c_bool), ('b m s', c.c_uint8),
    ('swizzle', lw_bank_turns), ('padded', c.c_bool), ('row pad', _U32), ('padding', lw_bank_turns))
lw_coalescing_report = _struct(
    'lw_coalescing_report', ('code_offset', _U64), ('instruction', _TEXT), ('executed bytes', _U64), ('blocks', _U64 * 3),
    ('touched needed misaligned', _U64), ('stride', c.c_int64), ('unit', _U32), ('strided irregular assumed', c.c_bool), ('source', lw_line))
lw_finding_place = _struct(
    'lw_finding_place', ('known', c.c_bool), ('code_offset', _U64), ('instruction', _TEXT), ('source', lw_line))
lw_finding = _struct(
    'lw_finding', ('severity', _U32), ('rule what why cure', _TEXT), ('place other', lw_finding_place), ('workgroup', _U32 * 3),
    ('wave', _U32), ('lane', c.c_int), ('times', _U64))
lw_check_options = _struct('lw_check_options', ('struct_size', _SIZE), ('strict', c.c_bool))
lw_disasm = _struct(
    'lw_disasm', ('struct_size', _SIZE), ('text', c.c_char * 256), ('size', _SIZE), ('branches', c.c_bool), ('target', _U64))
