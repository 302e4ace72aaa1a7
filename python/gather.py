# Assembles the package in the build folder from links to its files, laid out as after installation.
import os
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for source in sys.argv[2:]:
    link = os.path.join(folder, os.path.basename(source))
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(os.path.abspath(source), link)
os.utime(folder)
