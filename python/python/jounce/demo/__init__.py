"""A page with a thousand cars on a track: ``python -m jounce.demo`` writes it.

It needs no display and no network, and neither does the page.
"""

from jounce.demo._drive import Film, drive
from jounce.demo._page import page

__all__ = ["Film", "drive", "page"]
