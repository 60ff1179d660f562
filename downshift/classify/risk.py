"""What a task touches that makes a mistake dear.

Two witnesses: the linear model says how likely the task touches anything of the
kind (it has learnt touching from mentioning), and a table says what. A term of
the table counts where the child is to act: in the request, not in what is pasted
or told beside it, and not when all that is asked is to look something up, run it
or rename it. With a term, less likelihood is enough; what destroys needs none.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TERMS: dict[str, tuple[str, ...]] = {
    "secret": (
        "secret", "secrets", "credential", "credentials", "api key", "api keys", "private key", "signing key",
        "token rotation", "rotate", "vault",
    ),
    "authorisation": (
        "authentication", "authorization", "authorisation", "permission", "permissions", "rbac", "oauth", "login flow",
        "access control", "session tokens", "password", "passwords", "sso", "jwt", "share link", "share links", "roles",
        "role check", "tenant", "tenants", "rechteprüfung", "berechtigungen", "autorisation", "permisos", "permissões",
    ),
    "cryptography": (
        "encrypt", "encryption", "decrypt", "cryptography", "cryptographic", "signature check", "hmac", "tls",
        "attestation", "key derivation", "nonce", "verschlüsselung", "chiffrement", "cifrado", "criptografia",
    ),
    "payment": (
        "payment", "payments", "billing", "invoice", "invoices", "refund", "refunds", "charged", "payout", "payouts",
        "checkout", "ledger", "3-d secure", "settlement", "zahlungen", "paiements", "pagos", "pagamentos", "pagamenti",
    ),
    "vulnerability": (
        "vulnerability", "vulnerabilities", "exploit", "exploitable", "injection", "xss", "csrf", "ssrf", "sandbox escape",
        "untrusted", "unprivileged", "threat model", "attacker", "side channel", "out-of-bounds",
    ),
    "personal data": (
        "gdpr", "personal data", "pii", "patient", "patients", "medical records", "anonymise", "anonymize", "cpf",
        "date of birth", "consent", "dsgvo", "rgpd", "lgpd",
    ),
    "destructive": (
        "production database", "prod database", "drop table", "truncate", "force push", "force-push", "rm -rf", "wipe",
        "purge", "production data", "irreversible", "delete all", "drop the old", "hard delete", "rm rf", "push force",
        "kubectl delete", "terraform apply", "terraform destroy", "live database", "live cluster", "live datenbank",
        "löschskript", "on production",
    ),
}  # fmt: skip

# What asks for a verdict, however shortly it is put.
JUDGEMENT = (
    "safe to", "is safe", "is correct", "tell me why", "say why", "explain why", "work out", "figure out", "find out why",
    "root cause", "attacker", "sign off", "no go", "no-go", "decide if", "decide whether", "judge whether", "approve",
    "what went wrong", "liable", "unauthenticated",
)  # fmt: skip

STEERING = (
    "this is trivial", "trivial task", "cheapest model", "smallest model", "small model", "fast model", "cheap model",
    "no need to think", "low effort", "ignore previous", "ignore all previous", "easy task", "classify this as",
    "simple task", "small tier", "haiku is enough", "any model can", "route this to", "do not escalate",
)  # fmt: skip

_LOOKS_ONLY = frozenset(
    "list find show print count where which locate read report grep tell look quote search"
    " liste finde zeige zähle cherche trouve compte encuentra busca muestra cuenta encontre"
    " procure mostre conte trova cerca mostra".split()
)
# What is run or renamed may be anything; only what it destroys counts, and a release reaches people.
_RUNS_ONLY = frozenset("run rename execute führe ejecuta execute esegui rode lance".split())
# To do this to a thing of the table is to touch it, in however few words.
_HANDLES = frozenset(
    "rotate revoke grant regenerate reissue decrypt encrypt refund wipe purge anonymise anonymize disable bypass unlock"
    " expose rotiere rotieren widerrufe lösche révoque supprime revoca elimina revogue apague".split()
)
_RELEASES = (
    "deploy", "rollback", "in production", "live site", "en producción", "despliegue", "em produção", "en production",
    "in produzione", "produktion",
)  # fmt: skip


UNNAMED = "other"
"""A task that the model takes for risky and of which no term tells the kind."""


def touched(asked: list[list[str]], everything: str, likely: float, enough: Mapping[str, float]) -> tuple[str, ...]:
    """The risks that a task touches, in the order of the table.

    `asked` is the request as sentences, `everything` the whole brief in lower case,
    `likely` the model's word in 0..1, `enough` how much of it is needed `with_term`
    and `without`.
    """
    acting = [sentence for sentence in asked if sentence[0] not in _LOOKS_ONLY]
    named = _found(_joined(sentence for sentence in acting if sentence[0] not in _RUNS_ONLY))
    handled = _found(_joined(sentence for sentence in acting if sentence[0] in _HANDLES))
    risks = named if named and likely >= enough["with_term"] else handled
    if likely >= enough["without"]:
        risks = risks or _found(f" {everything} ") or (UNNAMED,)
    if "destructive" not in risks and _destroys(acting):
        risks = (*risks, "destructive")
    return risks


def _destroys(acting: list[list[str]]) -> bool:
    """Whether a command or a release is asked for that cannot be taken back, however plainly."""
    text = _joined(acting)
    if any(f" {term} " in text for term in TERMS["destructive"]):
        return True
    ran = _joined(sentence for sentence in acting if sentence[0] in _RUNS_ONLY)
    return any(f" {term} " in ran for term in _RELEASES)


def judges(asked: Iterable[list[str]]) -> bool:
    """Whether the request asks for a verdict or a cause, which the least model is not to give."""
    text = _joined(asked)
    return any(f" {phrase} " in text for phrase in JUDGEMENT)


def touched_beyond(text: str) -> tuple[str, ...]:
    """The risks in what lies beyond the part that is judged."""
    return _found(f" {text} ") if text else ()


def steers(lines: Iterable[str]) -> bool:
    """Whether the brief tries to choose the model or the class itself."""
    text = " ".join(lines)
    return any(phrase in text for phrase in STEERING)


def _joined(sentences: Iterable[list[str]]) -> str:
    return " ".join(["", *(word for sentence in sentences for word in sentence), ""])


def _found(text: str) -> tuple[str, ...]:
    return tuple(name for name, terms in TERMS.items() if any(f" {term} " in text for term in terms))
