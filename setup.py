"""What pyproject.toml cannot declare: packages, and the native part, which is optional."""

import os
import sys

from setuptools import find_packages, setup


def find_extensions() -> list:
    """Return the walk in Cython, where it can be built; ILSPFC_PURE=1 leaves it out.

    Without a compiler its failure is told and passed over: the walk in Python does the same.
    """
    # The eggs of scrapyd run on any machine.
    if os.environ.get("ILSPFC_PURE") or "bdist_egg" in sys.argv:
        return []
    try:
        import lxml
        from Cython.Build import cythonize
        from setuptools import Extension
    except ImportError:
        return []
    walk = Extension(
        "ilspfc.cleaning.blocks._walk",
        ["ilspfc/cleaning/blocks/_walk.pyx"],
        include_dirs=lxml.get_include(),
        optional=True,
    )
    return cythonize([walk])


# The folder domains/ is a package only here: pyproject.toml can have packages found or
# listed, not both.
setup(
    packages=[*find_packages(include=["ilspfc", "ilspfc.*"]), "ilspfc.domains"],
    ext_modules=find_extensions(),
)
