"""What `giveaway explain` tells: attacks with their fields, and the words of the glossary."""

from giveaway.scenario.explaining.explained import explained

__all__ = ["explained"]
