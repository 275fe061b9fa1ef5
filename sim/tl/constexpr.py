"""tl.constexpr: an annotation for parameters, and values that are known when compiling."""

from typing import Any


class _IntConstant(int):
    value = property(int)


class _FloatConstant(float):
    value = property(float)


class _TextConstant(str):
    __slots__ = ()
    value = property(str)


class _Constant:
    """A bool, None, type or function that was wrapped in tl.constexpr."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __bool__(self) -> bool:
        return bool(self.value)

    def __eq__(self, other: object) -> bool:
        return bool(self.value == plain(other))

    def __hash__(self) -> int:
        return hash(self.value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.value, name)

    def __call__(self, *values: Any) -> Any:
        return self.value(*values)


_WRAPPERS = {int: _IntConstant, float: _FloatConstant, str: _TextConstant}
CONSTANTS = (_IntConstant, _FloatConstant, _TextConstant, _Constant)


class _Meta(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return type(value) in CONSTANTS

    def __call__(cls, value: Any) -> Any:
        """The value, which still answers to .value."""
        if type(value) in CONSTANTS:
            return value
        return _WRAPPERS.get(type(value), _Constant)(value)


class constexpr(metaclass=_Meta):
    """Marks a parameter as known when compiling; called with a value it gives that value."""

    def __init__(self, value: Any) -> None:
        raise TypeError("calling the class never comes here")


def plain(value: Any) -> Any:
    """``value`` without the wrapper that tl.constexpr put around it."""
    if type(value) in CONSTANTS:
        return value.value
    if type(value) is tuple:
        return tuple(map(plain, value))
    return value


def is_constexpr_annotation(annotation: Any) -> bool:
    """Whether a parameter is annotated tl.constexpr, as an object or as text."""
    return annotation is constexpr or (isinstance(annotation, str) and "constexpr" in annotation)
