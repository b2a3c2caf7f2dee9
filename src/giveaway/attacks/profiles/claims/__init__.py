"""What a release claims about people, as linear constraints with exact bounds."""
