"""Quick estimates of the chance that items are cracked."""
