"""What can go wrong. A limit that is reached is no error: see ``Answer.reason``."""


class Error(Exception):
    """Something went wrong; the message says what, where and what to do."""


class UsageError(Error, ValueError):
    """There is no such game, position, move or option."""


class StoreError(Error):
    """A store or a table cannot be opened, read or written, or contradicts what was found."""


class CertificateError(Error):
    """A file proves nothing: it is damaged, or a step of it is wrong."""
