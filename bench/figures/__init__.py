"""What bench/frameworks.py and bench/report.py are made of. The modules that need PyTorch are gpu_timing and peers; the others need Python alone."""
