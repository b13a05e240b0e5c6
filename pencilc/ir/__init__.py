"""The records that stages hand to each other, one file per family, printer and verifier beside it."""
