"""A written release next to earlier ones: their files read again from their places, and joined."""
