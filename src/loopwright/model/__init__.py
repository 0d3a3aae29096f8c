"""The immutable values that flow between the stages."""
