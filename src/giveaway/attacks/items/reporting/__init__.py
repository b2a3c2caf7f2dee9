"""What a report shows of the attack `items`."""
