"""Saved web pages as trees, however they begin and however little of a page they are."""

from lxml import etree, html

from pipeline.formats.parsed import FormatError


def read_page(text: str) -> html.HtmlElement:
    """The page's root element.

    Raises:
        FormatError: there is no element in it.
    """
    # As bytes: of a text lxml refuses the declaration of an encoding, which XHTML begins with.
    parser = html.HTMLParser(encoding="utf-8")
    try:
        return html.document_fromstring(text.encode(), parser=parser)
    except etree.ParserError as error:
        raise FormatError("saved page: expected elements of HTML, found none; save the page again") from error
