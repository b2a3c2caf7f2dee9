"""What measuring yields, and verdicts."""
