"""`pencilc report --html`: a page that shows what became of a file, one module for each panel of it.

    listing    the source and the CUDA file beside each other, with linked lines
    launches   the launches, what runs after what, the bytes between them
    tree       the schedule tree
    domains    iteration domains, and the dependences between statement instances
    kernels    threads, registers, shared memory and traffic of each kernel, and what limits it
    undone     what was not done, and why
    counted    registers, where nvcc is asked
    measured   bytes that a call moves, where the CPU executor is asked

Each makes frozen records or a drawing; `page.html.j2` prints them.
"""
