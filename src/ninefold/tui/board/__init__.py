"""Boards, and what lies beside them."""
