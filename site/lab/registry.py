"""Every widget by the name its directive uses. A new file in ``widgets/`` is added here and nowhere else."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from lab.problem import given
from lab.widget import Widget

MEASURED = {
    "own-results": "own_results",
    "ladder": "ladder",
    "against-torch": "against_torch",
    "roofline": "roofline",
    "model-and-counters": "model_and_counters",
    "same-loads": "same_loads",
    "count-and-time": "count_and_time",
    "bench-lies": "bench_lies",
}
MODULES = {
    "dot-product": "dot_product",
    "tile-walk": "tile_walk",
    "tile-waits": "tile_waits",
    "load-count": "load_count",
    "new-case": "new_case",
    "tile-masks": "tile_masks",
    "tile-reuse": "tile_reuse",
    "exercise": "exercise",
    "exit-check": "exit_check",
    "program-order": "program_order",
    "tile-cache": "tile_cache",
    "kernel-stepper": "kernel_stepper",
    "kernel-lines": "kernel_lines",
    "kernel-exercise": "kernel_exercise",
    "kernel-editor": "kernel_editor",
    **MEASURED,
}

# What a widget needs in the page's archive besides the core: Triton's language, or measured results.
NEEDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("kernel-stepper", "kernel-lines", "kernel-exercise", "kernel-editor"), ("kernels",)),
    **dict.fromkeys(MEASURED, ("results",)),
}


class _Widgets(Mapping[str, Widget]):
    """Widgets by name. A module is imported when its widget is asked for: the browser pays for what a page uses."""

    def __getitem__(self, name: str) -> Widget:
        widget: Widget = import_module(f"lab.widgets.{MODULES[name]}").WIDGET
        return widget

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


WIDGETS: Mapping[str, Widget] = _Widgets()


def widget_named(name: str) -> Widget:
    """The widget, or a Problem that lists those there are."""
    if name not in MODULES:
        raise given("widget", name, ", ".join(sorted(MODULES)))
    return WIDGETS[name]
