"""What is compiled and what stays host code: entry functions, regions of host functions, and the text left over."""
