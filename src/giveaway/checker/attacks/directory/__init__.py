"""Judge the attack `directory`."""
