"""Updates and initialisations: operators, which initialisation each update belongs to, merge nodes, what is wrong."""
