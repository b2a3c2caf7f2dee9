"""The method of Li et al.: entries are hidden along the R-graph of the rules of the secrets."""
