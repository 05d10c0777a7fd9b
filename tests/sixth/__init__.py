"""Two games of other shapes, written only by the steps in CONTRIBUTING.

`register` puts them into the registry; the package needs no change.
"""

NEW = ("garden", "auction")
