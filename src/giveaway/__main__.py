"""`python -m giveaway` is `giveaway`."""

from giveaway.cli.main import main

main()
