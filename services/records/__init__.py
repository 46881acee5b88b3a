"""The record (prontuário): everything about a holder, a driver or a vehicle, in order of time."""
