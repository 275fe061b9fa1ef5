"""One build, or a server, for the repository in the folder that the first argument names: `python -m builder FOLDER …`.

`build.py` is the command for people; this one is for its rebuilds, and expects that set-up has been done.
"""

import sys
from pathlib import Path

from builder.cli import main
from builder.environment import survive_narrow_consoles

if __name__ == "__main__":
    survive_narrow_consoles()
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
