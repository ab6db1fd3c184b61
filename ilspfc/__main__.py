"""``python -m ilspfc``, and the script ``ilspfc``: the program, also stopped while it is loaded."""

import sys

INTERRUPTED = 130


def start() -> None:
    """Run the program; a Ctrl-C before it can handle one is a line, not a traceback."""
    try:
        # Scrapy takes half a second.
        from ilspfc.program import main  # noqa: PLC0415

        main()
    except KeyboardInterrupt:
        print("ilspfc: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    start()
