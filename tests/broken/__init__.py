"""Broken C: whatever the front end is given, it answers with a model or with a place."""
