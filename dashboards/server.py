"""Serving the finished site on this machine only, for those who would rather not open a file."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        return


def make_server(out: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server of the folder ``out`` on the loopback address; port 0 takes a free one (``server_port`` tells which)."""
    if not (out / "index.html").is_file():
        raise FileNotFoundError(f"{out / 'index.html'} does not exist; build the site first")
    return ThreadingHTTPServer(("127.0.0.1", port), partial(_QuietHandler, directory=str(out)))


def serve(out: Path, port: int) -> None:
    """Serve ``out`` on http://127.0.0.1:``port``/ until interrupted."""
    with make_server(out, port) as server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
