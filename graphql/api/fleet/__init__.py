"""Vehicles in service, inspections, drivers and the record, as front ends see them."""
