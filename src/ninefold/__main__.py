"""`python -m ninefold`"""

import sys

from ninefold.commands import main

sys.exit(main())
