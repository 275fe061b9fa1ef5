"""The JSON of a run as a JSON Schema, with its size limits. What a page or another program may count on."""

from typing import Any

from sim.tl.recorder import MOST_LANES, MOST_STEPS, MOST_TEXT
from sim.tl.reports import KINDS, LANES_TOLD, MOST_PRINTED, MOST_REPORTS, MOST_TOLD

Schema = dict[str, Any]

WHOLE: Schema = {"type": "integer", "minimum": 0}
TEXT: Schema = {"type": "string"}
PROGRAM: Schema = {"type": "array", "items": WHOLE, "minItems": 3, "maxItems": 3}
LANE: Schema = {"type": ["number", "boolean", "string"]}  # "nan", "inf", "-inf" are text


def _record(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _list(items: Schema, most: int | None = None) -> Schema:
    return {"type": "array", "items": items, **({} if most is None else {"maxItems": most})}


def value_schema() -> Schema:
    """What a name holds. ``values`` are lanes, row by row; of a pointer they are element numbers of ``array``."""
    tile = {
        "dtype": TEXT, "shape": _list(WHOLE), "cut": {"type": "boolean"},
        "undefined": _list(WHOLE, MOST_LANES), "values": _list(LANE, MOST_LANES),
    }  # fmt: skip
    return {
        "oneOf": [
            _record(kind={"const": "tile"}, **tile),
            _record(kind={"const": "pointer"}, array=TEXT, **tile),
            _record(kind={"const": "constant"}, text={"type": "string", "maxLength": MOST_TEXT}),
            _record(kind={"const": "tuple"}, items=_list({"$ref": "#/$defs/value"})),
        ]
    }


def operation_schema() -> Schema:
    """A load, store, atomic operation or dot of one statement.

    ``lanes[i]`` is the number of a lane whose mask is on, ``elements[i]`` the flat element that it reaches and
    ``values[i]`` what was read or written. ``outside`` are lanes whose mask is on and whose address lies outside of the
    array. ``cut`` leaves the four lists empty when there are too many lanes.
    """
    access = _record(
        kind=TEXT, line=WHOLE, array=TEXT, shape=_list(WHOLE), active=WHOLE, cut={"type": "boolean"},
        outside=_list(WHOLE, MOST_LANES), lanes=_list(WHOLE, MOST_LANES), elements=_list(WHOLE, MOST_LANES),
        values=_list(LANE, MOST_LANES),
    )  # fmt: skip
    dot = _record(
        kind={"const": "dot"}, line=WHOLE, m=WHOLE, n=WHOLE, k=WHOLE, operand=TEXT, accumulator=TEXT, precision=TEXT,
        flops=WHOLE,
    )  # fmt: skip
    return {"anyOf": [dot, access]}


def counts_fields() -> dict[str, Schema]:
    """Elements by array name; FLOPs of tl.dot count 2 M N K of the tile, masked lanes included."""
    table: Schema = {"type": "object", "additionalProperties": WHOLE}
    return {"loads": table, "stores": table, "atomics": table, "dots": WHOLE, "flops": WHOLE}


def run_schema() -> Schema:
    """The schema of ``Run.json()``."""
    step = _record(
        line=WHOLE, end_line=WHOLE, function=TEXT, depth=WHOLE,
        loops=_list({"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}),
        changed={"type": "object", "additionalProperties": {"$ref": "#/$defs/value"}},
        operations=_list({"$ref": "#/$defs/operation"}),
    )  # fmt: skip
    report = _record(
        kind={"enum": list(KINDS)}, text=TEXT, program=PROGRAM, line=WHOLE, lanes=_list(WHOLE, LANES_TOLD), array=TEXT,
        element=_list({"type": "integer"}),
    )  # fmt: skip
    failure = _record(kind=TEXT, text=TEXT, line=WHOLE, program=PROGRAM)
    whole = _record(
        version={"const": 1}, kernel=TEXT, mode={"enum": ["strict", "lesson"]}, grid=PROGRAM,
        program={"anyOf": [{"type": "null"}, PROGRAM]}, steps=_list(step, MOST_STEPS), cut={"type": "boolean"},
        reports=_list(report, MOST_REPORTS), reports_left_out=WHOLE,
        bent=_list(_record(rule=TEXT, text=TEXT, line=WHOLE, legal=TEXT)), counts=_record(**counts_fields()),
        by_program=_list(_record(program=PROGRAM, **counts_fields())), arrays={"type": "object"},
        printed=_list({"type": "string", "maxLength": MOST_TOLD + 1}, MOST_PRINTED), notes=_list(TEXT),
        failure={"anyOf": [{"type": "null"}, failure]}, leaves_out=TEXT,
    )  # fmt: skip
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"value": value_schema(), "operation": operation_schema()},
        **whole,
    }
