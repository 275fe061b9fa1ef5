"""How a benchmark lies: reports of real measurements, each spoiled on purpose in one way, and how to find out which.

``doctor`` spoils, ``diagnose`` looks at nothing but the report, and a test holds one against the other.
"""
