"""What every client does, whatever its API is. Written by hand and the same for all contracts."""
