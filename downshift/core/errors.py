"""The one error that is meant for people."""


class UserError(Exception):
    """Something the user can mend: a sentence, what to do about it, and the exit status (1 refused, 2 usage)."""

    def __init__(self, message: str, hint: str = "", *, code: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code
