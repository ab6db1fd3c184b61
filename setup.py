"""What scrapyd-deploy builds the egg with; all that can be is declared in pyproject.toml."""

from setuptools import find_packages, setup

# The folder domains/ is a package only here: pyproject.toml can have packages found or
# listed, not both.
setup(packages=[*find_packages(include=["ilspfc", "ilspfc.*"]), "ilspfc.domains"])
