"""From the file to preprocessed text, with the place of every token in the files that the user wrote."""
