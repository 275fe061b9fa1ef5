"""Every widget by the name its directive uses. A new file in ``widgets/`` is added here and nowhere else."""

from lab.problem import given
from lab.widget import Widget
from lab.widgets import dot_product, load_count, new_case, tile_waits, tile_walk

WIDGETS: dict[str, Widget] = {
    module.WIDGET.name: module.WIDGET for module in (dot_product, tile_walk, tile_waits, load_count, new_case)
}


def widget_named(name: str) -> Widget:
    """The widget, or a Problem that lists those there are."""
    if name not in WIDGETS:
        raise given("widget", name, ", ".join(sorted(WIDGETS)))
    return WIDGETS[name]
