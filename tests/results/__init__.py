"""Every stored measurement against its schema and against `sim`."""
