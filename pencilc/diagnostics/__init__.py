"""Source positions, diagnostics and their rendering."""
