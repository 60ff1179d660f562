"""What a task touches that makes a mistake dear, by rules on the request itself.

A term counts where the child is to act: in the request, not in what is pasted or
told beside it, and not when all that is asked is to look something up, run it or
rename it. Terms are whole words or phrases; the table is in lower case.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
_RELEASES = (
    "deploy", "rollback", "in production", "live site", "en producción", "despliegue", "em produção", "en production",
    "in produzione", "produktion",
)  # fmt: skip


def touched(asked: list[list[str]]) -> tuple[str, ...]:
    """The risks that the sentences of a request touch, in the order of the table."""
    acting = [sentence for sentence in asked if sentence[0] not in _LOOKS_ONLY]
    found = _found(_joined(sentence for sentence in acting if sentence[0] not in _RUNS_ONLY))
    text = _joined(sentence for sentence in acting if sentence[0] in _RUNS_ONLY)
    ran = _found(text)
    destroys = "destructive" in ran or any(f" {term} " in text for term in _RELEASES)
    return (*found, "destructive") if destroys and "destructive" not in found else found


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
