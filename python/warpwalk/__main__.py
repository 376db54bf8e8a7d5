"""`python3 -m warpwalk` is the command `warpwalk`, for where the folder of pip's commands is not in PATH."""
from warpwalk.program import main

if __name__ == "__main__":
    main()
