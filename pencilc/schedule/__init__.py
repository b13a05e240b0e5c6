"""The schedule: isl's ILP for each component, fusion by alignment, flags P, R and s recomputed by us."""
