"""``python -m ilspfc``: the program without its script."""

from ilspfc.program import main

main()
