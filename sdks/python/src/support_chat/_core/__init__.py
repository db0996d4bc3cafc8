"""The runtime of every client. Written by hand, and the same for all contracts."""
