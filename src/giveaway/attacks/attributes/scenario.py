"""What `giveaway init` proposes of somebody who fills in what is left blank."""

from giveaway.attacks.proposal import DataFound, Form, Proposal

_KNOWS = """\
# When single entries must stay secret: name them in secrets.csv ({entries}), put
# secrets = "secrets.csv" into [release], and add somebody who fills them in by rules found in the other rows:
# [[knows]]
# attack = "attributes"
# columns = {known}
# tolerates = {{ attribute = "1/2" }}
"""


def _knows(data: DataFound) -> str:
    if not data.sensitive:
        return ""
    one = data.sensitive == 1
    return _KNOWS.format(
        entries="first row, then one row number a line" if one else "first row,column, then one entry a line",
        known=data.known,
    )


PROPOSES: dict[Form, Proposal] = {"rows": Proposal(knows=_knows)}
