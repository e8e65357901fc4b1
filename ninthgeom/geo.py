"""Boards as GeoJSON and as tables of GeoPandas."""

from __future__ import annotations

__all__: list[str] = []
