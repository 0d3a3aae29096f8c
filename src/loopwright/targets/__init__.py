"""Schedules for a machine: tiles, parallel and vector loops, registers."""
