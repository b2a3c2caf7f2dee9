"""What is asked: attackers, tolerances, needs, effort."""
