"""Two games of other shapes, written only by the steps in CONTRIBUTING.

`register` puts them into the registry; the package needs no change.
"""

NEW = ("garden", "auction")
EDITION = "conquest-fair"  # goes through the same tests; so do the other editions, in the long ones
