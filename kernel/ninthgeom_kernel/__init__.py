"""Private kernels of ninthgeom: arrays in the exact form of the signature, no checks (kernel/README.md)."""
