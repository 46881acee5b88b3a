"""What the register says of the subjects of notices."""
