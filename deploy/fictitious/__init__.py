"""The fictitious register: both towns with sample values, people who do not exist, and permits in every state."""
