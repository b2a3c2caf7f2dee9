"""The exact chance that items and sets of items are cracked."""
