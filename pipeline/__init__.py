"""Chess rating lists since 1971: from published files to one DuckDB file and a static site.

The sub-packages form a one-way chain: ``domain`` <- ``catalogue`` <- ``formats`` <- ``lists``, ``players``,
``analytics`` <- ``warehouse`` <- ``assets`` and ``cli``; ``sources`` stands beside ``formats`` and is the only
one that touches the network.
"""
