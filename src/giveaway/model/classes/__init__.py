"""Values put into classes before anything is judged, and ladders of coarser and coarser classes."""
