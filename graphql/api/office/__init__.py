"""What offices and the platform's operator do: change the law, appoint, watch what runs."""
