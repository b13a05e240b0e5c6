"""What a region may get wrong: operators that break the laws, and what costs speed."""
