"""From text to the polyhedral model."""
