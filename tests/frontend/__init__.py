"""Each feature of the language, against relations written from the semantics of C."""
