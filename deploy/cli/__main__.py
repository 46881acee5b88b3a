import sys

from deploy.cli.main import main

sys.exit(main(sys.argv[1:]))
