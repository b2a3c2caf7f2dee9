"""The values every part speaks of; nothing here knows files, frames or attacks."""
