"""GPU Lab's static site builder: chapters in, a folder of plain files out."""
