"""``python -m ninthgeom`` is the command ``ninthgeom``."""

from ninthgeom.cli import main

main(prog_name="ninthgeom")
