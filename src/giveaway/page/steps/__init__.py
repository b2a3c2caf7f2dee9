"""The steps of the page, one module for each."""
