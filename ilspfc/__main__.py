"""``python -m ilspfc``: the program without its script."""

from ilspfc.program import main

if __name__ == "__main__":
    main()
