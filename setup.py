"""The one thing pyproject.toml cannot say: extensions that may fail to build."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            f"ninefold.{name.replace('/', '.')}",
            [f"src/ninefold/{name}.c"],
            py_limited_api=True,
            optional=True,  # without a compiler the plain Python twin does the work
        )
        for name in ("analysis/placing/_kernel", "batch/_batch")
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
