"""How sentences, numbers and limits are written, the same in every view."""
