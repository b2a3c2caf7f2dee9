"""The papers behind the attacks, as guests: what they print is run again, and their notions are looked at on any data.

Nothing of the product imports them; their commands are found as those of other packages are.
"""
