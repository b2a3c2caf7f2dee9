"""From labels to codes and counted rows."""
