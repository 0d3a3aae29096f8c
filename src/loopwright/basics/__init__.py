"""What every stage shares: places in the source, diagnostics, fresh names."""
