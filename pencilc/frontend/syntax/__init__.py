"""From preprocessed text to pycparser's tree, and what is known of C before there is one."""
