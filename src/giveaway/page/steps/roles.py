"""The roles of columns, read from a scenario."""

from giveaway.page.session import Session


def roles_of(session: Session) -> dict[str, str]:
    """Return the role of each column that has one."""
    release = session.values.get("release", {})
    roles = {
        name: "known" for entry in session.attackers for name in entry.get("columns", entry.get("on", []))
    }
    for field, role in (("leave_out", "out"), ("publish_unjudged", "unjudged"), ("sensitive", "sensitive")):
        names = release.get(field, [])
        roles |= dict.fromkeys([names] if isinstance(names, str) else names, role)
    if release.get("id"):
        roles[release["id"]] = "id"
    return roles
