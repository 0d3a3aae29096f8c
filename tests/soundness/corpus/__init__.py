"""The attacks, one module for each class; ``dressing`` makes their texts."""
