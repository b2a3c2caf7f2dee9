"""The distribution of maximum entropy that obeys linear constraints, and what the constraints prove."""
