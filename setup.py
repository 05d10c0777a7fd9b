"""The one thing pyproject.toml cannot say: an extension that may fail to build."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "ninefold.analysis._kernel",
            ["src/ninefold/analysis/_kernel.c"],
            py_limited_api=True,
            optional=True,  # without a compiler the plain Python twin does the work
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
