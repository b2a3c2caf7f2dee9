"""What released records tell of the sensitive values of people."""
