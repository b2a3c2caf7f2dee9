"""Releases for several recipients who may collude: planned at once, judged together, and published all or none."""
