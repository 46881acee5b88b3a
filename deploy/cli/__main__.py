import sys

from deploy.cli.main import main

try:
    sys.exit(main(sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit("Interrupted.")
