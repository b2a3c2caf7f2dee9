"""The report as a page, and the view of a notebook."""
