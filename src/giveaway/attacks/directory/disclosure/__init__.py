"""What to disclose of records so that the loss is least."""
