"""The verbs of `./praca`: one module each, listed in `deploy.cli.main`."""
