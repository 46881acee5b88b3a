"""What one may ask of the law without a register: public, hypothetical, each answer with its articles."""
