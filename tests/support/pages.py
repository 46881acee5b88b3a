"""The words of a PDF, in the order in which they stand, with single spaces between."""

import io

from pypdf import PdfReader


def words_of(pdf: bytes) -> str:
    return " ".join(pages_of(pdf))


def pages_of(pdf: bytes) -> list[str]:
    """Page by page."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages]
