"""`pencilc port`: from a C function to one that pencilc compiles, as a patch.

find (which functions, and their text) -> pointers, statements (the body) -> extents (how large arrays are) ->
parameters (the head, and a wrapper with the old one) -> pragmas, sums (what is compiled, what may be reordered) ->
patch -> check (both programs are run).
"""
