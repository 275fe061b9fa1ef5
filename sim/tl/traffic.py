"""Who touched which element in this launch: what is needed to see races."""

from sim.tl.memory import Array
from sim.tl.reports import Program

MOST_PENDING = 64


class Traffic:
    """The reads and writes of one array.

    Programs run one after another here but in no fixed order on a GPU, so any element that two programs touch, one of
    them writing, is a race, unless an atomic operation orders them (``known`` programs). First and last reader of
    an element are kept, not all of them.
    """

    def __init__(self, array: Array) -> None:
        self.array = array
        self.writer: dict[int, Program] = {}
        self.first_reader: dict[int, Program] = {}
        self.last_reader: dict[int, Program] = {}
        self.first_updater: dict[int, Program] = {}  # by an atomic operation
        self.last_updater: dict[int, Program] = {}
        self.reading: set[int] = set()  # by the program that runs now
        self.pending: list[tuple[Program, set[int]]] = []  # reads that are not in the tables yet

    def read(self, elements: list[int], program: Program, known: set[Program]) -> tuple[int, Program] | None:
        """Note a load; returns (element, other program) when another program wrote or updated one of them."""
        self.reading.update(elements)
        for table in (self.writer, self.first_updater, self.last_updater):
            if table and not table.keys().isdisjoint(elements):
                clash = _other(table, elements, program, known)
                if clash is not None:
                    return clash
        return None

    def update(self, element: int, program: Program, known: set[Program]) -> Program | None:
        """Note an atomic operation; returns another program that reads or stores the element without one."""
        self._settle()
        self.first_updater.setdefault(element, program)
        self.last_updater[element] = program
        for table in (self.writer, self.first_reader, self.last_reader):
            other = table.get(element, program)
            if other != program and other not in known:
                return other
        return None

    def write(self, elements: list[int], program: Program, known: set[Program]) -> tuple[int, Program] | None:
        """Note a store; returns (element, other program) when another program wrote, read or updated one of them.

        The element's earlier writer is looked for first.
        """
        self._settle()
        clash = None
        for table in (self.writer, self.first_reader, self.last_reader, self.first_updater, self.last_updater):
            if clash is None and table and not table.keys().isdisjoint(elements):
                clash = _other(table, elements, program, known)
        self.writer.update(dict.fromkeys(elements, program))
        return clash

    def wrote(self, element: int, program: Program) -> bool:
        """Whether ``program`` is the last that stored ``element``."""
        return self.writer.get(element) == program

    def finish(self, program: Program) -> None:
        """The program has ended: its reads become visible to the checks of the next ones."""
        if self.reading:
            self.pending.append((program, self.reading))
            self.reading = set()
        if len(self.pending) >= MOST_PENDING:
            self._settle()

    def _settle(self) -> None:
        """Enter what earlier programs read. Inputs that nobody writes mostly never come to this."""
        for program, reading in self.pending:
            self.last_reader.update(dict.fromkeys(reading, program))
            new = reading - self.first_reader.keys()
            self.first_reader.update(dict.fromkeys(new, program))
        self.pending.clear()


def _other(
    table: dict[int, Program], elements: list[int], program: Program, known: set[Program]
) -> tuple[int, Program] | None:
    for element in elements:
        other = table.get(element, program)
        if other != program and other not in known:
            return element, other
    return None
