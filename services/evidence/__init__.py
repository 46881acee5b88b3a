"""What shows that something was so (provas): photographs and papers, kept outside the database."""
