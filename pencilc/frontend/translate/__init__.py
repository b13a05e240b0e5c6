"""From pycparser's nodes to the typed statements and expressions of `ir/source.py`."""
