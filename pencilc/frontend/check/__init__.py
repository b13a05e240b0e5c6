"""The rules of PENCIL and what gcc would warn of, on typed functions."""
