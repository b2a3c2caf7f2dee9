"""The rules that give secrets away, and when a rule does."""
