"""How Praça is set up and run: the command line, the embedded servers, roles and migrations."""
