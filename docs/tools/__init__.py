"""What makes parts of the documents: the reference of the commands and the pictures; and what MkDocs calls."""
