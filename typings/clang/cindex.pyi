"""Types of the part of libclang's Python bindings that a reader of C needs.

The bindings carry no annotations, and the published stubs are wrong where it matters: a
location's file is a ``File`` or ``None``, and a cursor that leads nowhere is ``None``.
``tests/test_project.py`` checks that every name below exists in the bindings.
"""

from collections.abc import Iterable, Iterator, Sequence
from ctypes import CDLL, Structure
from os import PathLike
from typing import ClassVar, Self

class TranslationUnitLoadError(Exception): ...
class LibclangError(Exception): ...

class File:
    @staticmethod
    def from_name(translation_unit: TranslationUnit, file_name: str) -> File: ...
    @property
    def name(self) -> str: ...

class SourceLocation(Structure):
    @staticmethod
    def from_position(
        tu: TranslationUnit, file: File, line: int, column: int
    ) -> SourceLocation: ...
    @staticmethod
    def from_offset(tu: TranslationUnit, file: File, offset: int) -> SourceLocation: ...
    @property
    def file(self) -> File | None: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def is_in_system_header(self) -> bool: ...

class SourceRange(Structure):
    @staticmethod
    def from_locations(start: SourceLocation, end: SourceLocation) -> SourceRange: ...
    @property
    def start(self) -> SourceLocation: ...
    @property
    def end(self) -> SourceLocation: ...
    def __contains__(self, other: SourceLocation) -> bool: ...

class Diagnostic:
    Ignored: ClassVar[int]
    Note: ClassVar[int]
    Warning: ClassVar[int]
    Error: ClassVar[int]
    Fatal: ClassVar[int]
    @property
    def severity(self) -> int: ...
    @property
    def location(self) -> SourceLocation: ...
    @property
    def spelling(self) -> str: ...
    @property
    def ranges(self) -> Sequence[SourceRange]: ...
    @property
    def children(self) -> Sequence[Diagnostic]: ...
    @property
    def category_number(self) -> int: ...
    @property
    def category_name(self) -> str: ...
    @property
    def option(self) -> str: ...
    def format(self, options: int | None = None) -> str: ...

class TokenKind:
    PUNCTUATION: ClassVar[TokenKind]
    KEYWORD: ClassVar[TokenKind]
    IDENTIFIER: ClassVar[TokenKind]
    LITERAL: ClassVar[TokenKind]
    COMMENT: ClassVar[TokenKind]

class Token(Structure):
    @property
    def spelling(self) -> str: ...
    @property
    def kind(self) -> TokenKind: ...
    @property
    def location(self) -> SourceLocation: ...
    @property
    def extent(self) -> SourceRange: ...
    @property
    def cursor(self) -> Cursor: ...

class BaseEnumeration:
    @property
    def name(self) -> str: ...
    @classmethod
    def from_id(cls, id: int) -> Self: ...

class CursorKind(BaseEnumeration):
    def from_param(self) -> int: ...
    @staticmethod
    def get_all_kinds() -> list[CursorKind | None]: ...
    def is_declaration(self) -> bool: ...
    def is_reference(self) -> bool: ...
    def is_expression(self) -> bool: ...
    def is_statement(self) -> bool: ...
    def is_attribute(self) -> bool: ...
    def is_invalid(self) -> bool: ...
    def is_translation_unit(self) -> bool: ...
    def is_preprocessing(self) -> bool: ...
    def is_unexposed(self) -> bool: ...
    UNEXPOSED_DECL: ClassVar[CursorKind]
    STRUCT_DECL: ClassVar[CursorKind]
    UNION_DECL: ClassVar[CursorKind]
    CLASS_DECL: ClassVar[CursorKind]
    ENUM_DECL: ClassVar[CursorKind]
    FIELD_DECL: ClassVar[CursorKind]
    ENUM_CONSTANT_DECL: ClassVar[CursorKind]
    FUNCTION_DECL: ClassVar[CursorKind]
    VAR_DECL: ClassVar[CursorKind]
    PARM_DECL: ClassVar[CursorKind]
    TYPEDEF_DECL: ClassVar[CursorKind]
    CXX_METHOD: ClassVar[CursorKind]
    NAMESPACE: ClassVar[CursorKind]
    LINKAGE_SPEC: ClassVar[CursorKind]
    CONSTRUCTOR: ClassVar[CursorKind]
    DESTRUCTOR: ClassVar[CursorKind]
    CONVERSION_FUNCTION: ClassVar[CursorKind]
    TEMPLATE_TYPE_PARAMETER: ClassVar[CursorKind]
    TEMPLATE_NON_TYPE_PARAMETER: ClassVar[CursorKind]
    TEMPLATE_TEMPLATE_PARAMETER: ClassVar[CursorKind]
    FUNCTION_TEMPLATE: ClassVar[CursorKind]
    CLASS_TEMPLATE: ClassVar[CursorKind]
    CLASS_TEMPLATE_PARTIAL_SPECIALIZATION: ClassVar[CursorKind]
    NAMESPACE_ALIAS: ClassVar[CursorKind]
    USING_DIRECTIVE: ClassVar[CursorKind]
    USING_DECLARATION: ClassVar[CursorKind]
    TYPE_ALIAS_DECL: ClassVar[CursorKind]
    CXX_ACCESS_SPEC_DECL: ClassVar[CursorKind]
    TYPE_REF: ClassVar[CursorKind]
    CXX_BASE_SPECIFIER: ClassVar[CursorKind]
    TEMPLATE_REF: ClassVar[CursorKind]
    NAMESPACE_REF: ClassVar[CursorKind]
    MEMBER_REF: ClassVar[CursorKind]
    LABEL_REF: ClassVar[CursorKind]
    OVERLOADED_DECL_REF: ClassVar[CursorKind]
    VARIABLE_REF: ClassVar[CursorKind]
    INVALID_FILE: ClassVar[CursorKind]
    NO_DECL_FOUND: ClassVar[CursorKind]
    NOT_IMPLEMENTED: ClassVar[CursorKind]
    INVALID_CODE: ClassVar[CursorKind]
    UNEXPOSED_EXPR: ClassVar[CursorKind]
    DECL_REF_EXPR: ClassVar[CursorKind]
    MEMBER_REF_EXPR: ClassVar[CursorKind]
    CALL_EXPR: ClassVar[CursorKind]
    BLOCK_EXPR: ClassVar[CursorKind]
    INTEGER_LITERAL: ClassVar[CursorKind]
    FLOATING_LITERAL: ClassVar[CursorKind]
    IMAGINARY_LITERAL: ClassVar[CursorKind]
    STRING_LITERAL: ClassVar[CursorKind]
    CHARACTER_LITERAL: ClassVar[CursorKind]
    PAREN_EXPR: ClassVar[CursorKind]
    UNARY_OPERATOR: ClassVar[CursorKind]
    ARRAY_SUBSCRIPT_EXPR: ClassVar[CursorKind]
    BINARY_OPERATOR: ClassVar[CursorKind]
    COMPOUND_ASSIGNMENT_OPERATOR: ClassVar[CursorKind]
    CONDITIONAL_OPERATOR: ClassVar[CursorKind]
    CSTYLE_CAST_EXPR: ClassVar[CursorKind]
    COMPOUND_LITERAL_EXPR: ClassVar[CursorKind]
    INIT_LIST_EXPR: ClassVar[CursorKind]
    ADDR_LABEL_EXPR: ClassVar[CursorKind]
    StmtExpr: ClassVar[CursorKind]
    GENERIC_SELECTION_EXPR: ClassVar[CursorKind]
    GNU_NULL_EXPR: ClassVar[CursorKind]
    CXX_STATIC_CAST_EXPR: ClassVar[CursorKind]
    CXX_DYNAMIC_CAST_EXPR: ClassVar[CursorKind]
    CXX_REINTERPRET_CAST_EXPR: ClassVar[CursorKind]
    CXX_CONST_CAST_EXPR: ClassVar[CursorKind]
    CXX_FUNCTIONAL_CAST_EXPR: ClassVar[CursorKind]
    CXX_TYPEID_EXPR: ClassVar[CursorKind]
    CXX_BOOL_LITERAL_EXPR: ClassVar[CursorKind]
    CXX_NULL_PTR_LITERAL_EXPR: ClassVar[CursorKind]
    CXX_THIS_EXPR: ClassVar[CursorKind]
    CXX_THROW_EXPR: ClassVar[CursorKind]
    CXX_NEW_EXPR: ClassVar[CursorKind]
    CXX_DELETE_EXPR: ClassVar[CursorKind]
    CXX_UNARY_EXPR: ClassVar[CursorKind]
    PACK_EXPANSION_EXPR: ClassVar[CursorKind]
    SIZE_OF_PACK_EXPR: ClassVar[CursorKind]
    LAMBDA_EXPR: ClassVar[CursorKind]
    OMP_ARRAY_SECTION_EXPR: ClassVar[CursorKind]
    FIXED_POINT_LITERAL: ClassVar[CursorKind]
    OMP_ARRAY_SHAPING_EXPR: ClassVar[CursorKind]
    OMP_ITERATOR_EXPR: ClassVar[CursorKind]
    CXX_ADDRSPACE_CAST_EXPR: ClassVar[CursorKind]
    CONCEPT_SPECIALIZATION_EXPR: ClassVar[CursorKind]
    REQUIRES_EXPR: ClassVar[CursorKind]
    UNEXPOSED_STMT: ClassVar[CursorKind]
    LABEL_STMT: ClassVar[CursorKind]
    COMPOUND_STMT: ClassVar[CursorKind]
    CASE_STMT: ClassVar[CursorKind]
    DEFAULT_STMT: ClassVar[CursorKind]
    IF_STMT: ClassVar[CursorKind]
    SWITCH_STMT: ClassVar[CursorKind]
    WHILE_STMT: ClassVar[CursorKind]
    DO_STMT: ClassVar[CursorKind]
    FOR_STMT: ClassVar[CursorKind]
    GOTO_STMT: ClassVar[CursorKind]
    INDIRECT_GOTO_STMT: ClassVar[CursorKind]
    CONTINUE_STMT: ClassVar[CursorKind]
    BREAK_STMT: ClassVar[CursorKind]
    RETURN_STMT: ClassVar[CursorKind]
    ASM_STMT: ClassVar[CursorKind]
    CXX_CATCH_STMT: ClassVar[CursorKind]
    CXX_TRY_STMT: ClassVar[CursorKind]
    CXX_FOR_RANGE_STMT: ClassVar[CursorKind]
    MS_ASM_STMT: ClassVar[CursorKind]
    NULL_STMT: ClassVar[CursorKind]
    DECL_STMT: ClassVar[CursorKind]
    OMP_PARALLEL_DIRECTIVE: ClassVar[CursorKind]
    OMP_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_FOR_DIRECTIVE: ClassVar[CursorKind]
    OMP_SECTIONS_DIRECTIVE: ClassVar[CursorKind]
    OMP_SECTION_DIRECTIVE: ClassVar[CursorKind]
    OMP_SINGLE_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLEL_FOR_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLEL_SECTIONS_DIRECTIVE: ClassVar[CursorKind]
    OMP_TASK_DIRECTIVE: ClassVar[CursorKind]
    OMP_MASTER_DIRECTIVE: ClassVar[CursorKind]
    OMP_CRITICAL_DIRECTIVE: ClassVar[CursorKind]
    OMP_TASKYIELD_DIRECTIVE: ClassVar[CursorKind]
    OMP_BARRIER_DIRECTIVE: ClassVar[CursorKind]
    OMP_TASKWAIT_DIRECTIVE: ClassVar[CursorKind]
    OMP_FLUSH_DIRECTIVE: ClassVar[CursorKind]
    OMP_ORDERED_DIRECTIVE: ClassVar[CursorKind]
    OMP_ATOMIC_DIRECTIVE: ClassVar[CursorKind]
    OMP_FOR_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLELFORSIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_DIRECTIVE: ClassVar[CursorKind]
    OMP_TEAMS_DIRECTIVE: ClassVar[CursorKind]
    OMP_TASKGROUP_DIRECTIVE: ClassVar[CursorKind]
    OMP_CANCELLATION_POINT_DIRECTIVE: ClassVar[CursorKind]
    OMP_CANCEL_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_DATA_DIRECTIVE: ClassVar[CursorKind]
    OMP_TASK_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_TASK_LOOP_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_DISTRIBUTE_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_ENTER_DATA_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_EXIT_DATA_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_PARALLEL_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_PARALLELFOR_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_UPDATE_DIRECTIVE: ClassVar[CursorKind]
    OMP_DISTRIBUTE_PARALLELFOR_DIRECTIVE: ClassVar[CursorKind]
    OMP_DISTRIBUTE_PARALLEL_FOR_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_DISTRIBUTE_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_PARALLEL_FOR_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_TEAMS_DISTRIBUTE_DIRECTIVE: ClassVar[CursorKind]
    OMP_TEAMS_DISTRIBUTE_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_TEAMS_DISTRIBUTE_PARALLEL_FOR_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_TEAMS_DISTRIBUTE_PARALLEL_FOR_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_TEAMS_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_TEAMS_DISTRIBUTE_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_TEAMS_DISTRIBUTE_PARALLEL_FOR_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_TEAMS_DISTRIBUTE_PARALLEL_FOR_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_TEAMS_DISTRIBUTE_SIMD_DIRECTIVE: ClassVar[CursorKind]
    BUILTIN_BIT_CAST_EXPR: ClassVar[CursorKind]
    OMP_MASTER_TASK_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLEL_MASTER_TASK_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_MASTER_TASK_LOOP_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLEL_MASTER_TASK_LOOP_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLEL_MASTER_DIRECTIVE: ClassVar[CursorKind]
    OMP_DEPOBJ_DIRECTIVE: ClassVar[CursorKind]
    OMP_SCAN_DIRECTIVE: ClassVar[CursorKind]
    OMP_TILE_DIRECTIVE: ClassVar[CursorKind]
    OMP_CANONICAL_LOOP: ClassVar[CursorKind]
    OMP_INTEROP_DIRECTIVE: ClassVar[CursorKind]
    OMP_DISPATCH_DIRECTIVE: ClassVar[CursorKind]
    OMP_MASKED_DIRECTIVE: ClassVar[CursorKind]
    OMP_UNROLL_DIRECTIVE: ClassVar[CursorKind]
    OMP_META_DIRECTIVE: ClassVar[CursorKind]
    OMP_GENERIC_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_TEAMS_GENERIC_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_TEAMS_GENERIC_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLEL_GENERIC_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_TARGET_PARALLEL_GENERIC_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLEL_MASKED_DIRECTIVE: ClassVar[CursorKind]
    OMP_MASKED_TASK_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_MASKED_TASK_LOOP_SIMD_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLEL_MASKED_TASK_LOOP_DIRECTIVE: ClassVar[CursorKind]
    OMP_PARALLEL_MASKED_TASK_LOOP_SIMD_DIRECTIVE: ClassVar[CursorKind]
    TRANSLATION_UNIT: ClassVar[CursorKind]
    UNEXPOSED_ATTR: ClassVar[CursorKind]
    CXX_FINAL_ATTR: ClassVar[CursorKind]
    CXX_OVERRIDE_ATTR: ClassVar[CursorKind]
    ANNOTATE_ATTR: ClassVar[CursorKind]
    ASM_LABEL_ATTR: ClassVar[CursorKind]
    PACKED_ATTR: ClassVar[CursorKind]
    PURE_ATTR: ClassVar[CursorKind]
    CONST_ATTR: ClassVar[CursorKind]
    NODUPLICATE_ATTR: ClassVar[CursorKind]
    CUDACONSTANT_ATTR: ClassVar[CursorKind]
    CUDADEVICE_ATTR: ClassVar[CursorKind]
    CUDAGLOBAL_ATTR: ClassVar[CursorKind]
    CUDAHOST_ATTR: ClassVar[CursorKind]
    CUDASHARED_ATTR: ClassVar[CursorKind]
    VISIBILITY_ATTR: ClassVar[CursorKind]
    DLLEXPORT_ATTR: ClassVar[CursorKind]
    DLLIMPORT_ATTR: ClassVar[CursorKind]
    CONVERGENT_ATTR: ClassVar[CursorKind]
    WARN_UNUSED_ATTR: ClassVar[CursorKind]
    WARN_UNUSED_RESULT_ATTR: ClassVar[CursorKind]
    ALIGNED_ATTR: ClassVar[CursorKind]
    PREPROCESSING_DIRECTIVE: ClassVar[CursorKind]
    MACRO_DEFINITION: ClassVar[CursorKind]
    MACRO_INSTANTIATION: ClassVar[CursorKind]
    INCLUSION_DIRECTIVE: ClassVar[CursorKind]
    MODULE_IMPORT_DECL: ClassVar[CursorKind]
    TYPE_ALIAS_TEMPLATE_DECL: ClassVar[CursorKind]
    STATIC_ASSERT: ClassVar[CursorKind]
    FRIEND_DECL: ClassVar[CursorKind]
    CONCEPT_DECL: ClassVar[CursorKind]
    OVERLOAD_CANDIDATE: ClassVar[CursorKind]

class TLSKind:
    NONE: ClassVar[TLSKind]

class StorageClass:
    @property
    def name(self) -> str: ...
    INVALID: ClassVar[StorageClass]
    NONE: ClassVar[StorageClass]
    EXTERN: ClassVar[StorageClass]
    STATIC: ClassVar[StorageClass]
    PRIVATEEXTERN: ClassVar[StorageClass]
    OPENCLWORKGROUPLOCAL: ClassVar[StorageClass]
    AUTO: ClassVar[StorageClass]
    REGISTER: ClassVar[StorageClass]

class LinkageKind(BaseEnumeration):
    INVALID: ClassVar[LinkageKind]
    NO_LINKAGE: ClassVar[LinkageKind]
    INTERNAL: ClassVar[LinkageKind]
    UNIQUE_EXTERNAL: ClassVar[LinkageKind]
    EXTERNAL: ClassVar[LinkageKind]

class TypeKind(BaseEnumeration):
    @property
    def spelling(self) -> str: ...
    INVALID: ClassVar[TypeKind]
    UNEXPOSED: ClassVar[TypeKind]
    VOID: ClassVar[TypeKind]
    BOOL: ClassVar[TypeKind]
    CHAR_U: ClassVar[TypeKind]
    UCHAR: ClassVar[TypeKind]
    CHAR16: ClassVar[TypeKind]
    CHAR32: ClassVar[TypeKind]
    USHORT: ClassVar[TypeKind]
    UINT: ClassVar[TypeKind]
    ULONG: ClassVar[TypeKind]
    ULONGLONG: ClassVar[TypeKind]
    UINT128: ClassVar[TypeKind]
    CHAR_S: ClassVar[TypeKind]
    SCHAR: ClassVar[TypeKind]
    WCHAR: ClassVar[TypeKind]
    SHORT: ClassVar[TypeKind]
    INT: ClassVar[TypeKind]
    LONG: ClassVar[TypeKind]
    LONGLONG: ClassVar[TypeKind]
    INT128: ClassVar[TypeKind]
    FLOAT: ClassVar[TypeKind]
    DOUBLE: ClassVar[TypeKind]
    LONGDOUBLE: ClassVar[TypeKind]
    NULLPTR: ClassVar[TypeKind]
    OVERLOAD: ClassVar[TypeKind]
    DEPENDENT: ClassVar[TypeKind]
    FLOAT128: ClassVar[TypeKind]
    HALF: ClassVar[TypeKind]
    IBM128: ClassVar[TypeKind]
    COMPLEX: ClassVar[TypeKind]
    POINTER: ClassVar[TypeKind]
    BLOCKPOINTER: ClassVar[TypeKind]
    LVALUEREFERENCE: ClassVar[TypeKind]
    RVALUEREFERENCE: ClassVar[TypeKind]
    RECORD: ClassVar[TypeKind]
    ENUM: ClassVar[TypeKind]
    TYPEDEF: ClassVar[TypeKind]
    FUNCTIONNOPROTO: ClassVar[TypeKind]
    FUNCTIONPROTO: ClassVar[TypeKind]
    CONSTANTARRAY: ClassVar[TypeKind]
    VECTOR: ClassVar[TypeKind]
    INCOMPLETEARRAY: ClassVar[TypeKind]
    VARIABLEARRAY: ClassVar[TypeKind]
    DEPENDENTSIZEDARRAY: ClassVar[TypeKind]
    MEMBERPOINTER: ClassVar[TypeKind]
    AUTO: ClassVar[TypeKind]
    ELABORATED: ClassVar[TypeKind]
    PIPE: ClassVar[TypeKind]
    EXTVECTOR: ClassVar[TypeKind]
    ATOMIC: ClassVar[TypeKind]

class Cursor(Structure):
    @staticmethod
    def from_location(tu: TranslationUnit, location: SourceLocation) -> Cursor: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def is_definition(self) -> bool: ...
    def get_definition(self) -> Cursor | None: ...
    def get_usr(self) -> str: ...
    def get_included_file(self) -> File: ...
    @property
    def kind(self) -> CursorKind: ...
    @property
    def spelling(self) -> str: ...
    @property
    def displayname(self) -> str: ...
    @property
    def location(self) -> SourceLocation: ...
    @property
    def linkage(self) -> LinkageKind: ...
    @property
    def extent(self) -> SourceRange: ...
    @property
    def tls_kind(self) -> TLSKind: ...
    @property
    def storage_class(self) -> StorageClass: ...
    @property
    def type(self) -> Type: ...
    @property
    def canonical(self) -> Cursor: ...
    @property
    def result_type(self) -> Type: ...
    @property
    def underlying_typedef_type(self) -> Type: ...
    @property
    def enum_type(self) -> Type: ...
    @property
    def enum_value(self) -> int: ...
    @property
    def hash(self) -> int: ...
    @property
    def semantic_parent(self) -> Cursor | None: ...
    @property
    def lexical_parent(self) -> Cursor | None: ...
    @property
    def translation_unit(self) -> TranslationUnit: ...
    @property
    def referenced(self) -> Cursor | None: ...
    @property
    def raw_comment(self) -> str | None: ...
    def get_arguments(self) -> Iterator[Cursor | None]: ...
    def get_children(self) -> Iterator[Cursor]: ...
    def walk_preorder(self) -> Iterator[Cursor]: ...
    def get_tokens(self) -> Iterator[Token]: ...
    def get_field_offsetof(self) -> int: ...
    def is_anonymous(self) -> bool: ...
    def is_bitfield(self) -> bool: ...
    def get_bitfield_width(self) -> int: ...

class Type(Structure):
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    @property
    def kind(self) -> TypeKind: ...
    def argument_types(self) -> Sequence[Type]: ...
    @property
    def element_type(self) -> Type: ...
    @property
    def element_count(self) -> int: ...
    @property
    def translation_unit(self) -> TranslationUnit: ...
    def get_canonical(self) -> Type: ...
    def is_const_qualified(self) -> bool: ...
    def is_volatile_qualified(self) -> bool: ...
    def is_restrict_qualified(self) -> bool: ...
    def is_function_variadic(self) -> bool: ...
    def get_typedef_name(self) -> str: ...
    def get_pointee(self) -> Type: ...
    def get_declaration(self) -> Cursor: ...
    def get_result(self) -> Type: ...
    def get_array_element_type(self) -> Type: ...
    def get_array_size(self) -> int: ...
    def get_named_type(self) -> Type: ...
    def get_align(self) -> int: ...
    def get_size(self) -> int: ...
    def get_offset(self, fieldname: str) -> int: ...
    def get_fields(self) -> Iterator[Cursor]: ...
    @property
    def spelling(self) -> str: ...

_Path = str | PathLike[str]

class Index:
    @staticmethod
    def create(excludeDecls: bool = False) -> Index: ...
    def parse(
        self,
        path: _Path | None,
        args: Sequence[str] | None = None,
        unsaved_files: Iterable[tuple[_Path, str | bytes]] | None = None,
        options: int = 0,
    ) -> TranslationUnit: ...

class TranslationUnit:
    PARSE_NONE: ClassVar[int]
    PARSE_DETAILED_PROCESSING_RECORD: ClassVar[int]
    PARSE_INCOMPLETE: ClassVar[int]
    PARSE_PRECOMPILED_PREAMBLE: ClassVar[int]
    PARSE_SKIP_FUNCTION_BODIES: ClassVar[int]
    @classmethod
    def from_source(
        cls,
        filename: _Path | None,
        args: Sequence[str] | None = None,
        unsaved_files: Iterable[tuple[_Path, str | bytes]] | None = None,
        options: int = 0,
        index: Index | None = None,
    ) -> TranslationUnit: ...
    @property
    def cursor(self) -> Cursor: ...
    @property
    def spelling(self) -> str: ...
    def get_file(self, filename: str) -> File: ...
    def get_location(self, filename: str, position: int | tuple[int, int]) -> SourceLocation: ...
    def get_extent(
        self,
        filename: str,
        locations: Sequence[SourceLocation] | Sequence[int] | Sequence[tuple[int, int]],
    ) -> SourceRange: ...
    @property
    def diagnostics(self) -> Sequence[Diagnostic]: ...
    def reparse(
        self,
        unsaved_files: Iterable[tuple[_Path, str | bytes]] | None = None,
        options: int = 0,
    ) -> None: ...
    def get_tokens(
        self,
        locations: tuple[SourceLocation, SourceLocation] | None = None,
        extent: SourceRange | None = None,
    ) -> Iterator[Token]: ...

class Config:
    @staticmethod
    def set_library_path(path: _Path) -> None: ...
    @staticmethod
    def set_library_file(filename: _Path) -> None: ...
    @property
    def lib(self) -> CDLL: ...
    def function_exists(self, name: str) -> bool: ...

conf: Config
