"""The lab: what a page shows of ``sim``. Pure Python, settings in, HTML out; the same code builds and runs the page.

Read in this order: ``markup`` (tags that escape), ``controls`` (settings), ``widget`` (the contract), ``figures``
(matrices and small drawings), ``widgets/`` (one file a widget), ``page`` (the element that is built into the page)
and ``bridge`` (what the browser's worker calls). Standard library and ``sim`` only: it travels to the browser whole.
"""
