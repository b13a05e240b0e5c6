"""Who writes what is read: flow, dependences with reductions relaxed, and stores that nobody reads."""
