"""The words that say what is asked for. A later classifier learns these; the interface around it stays.

Heads count only where an instruction starts; phrases count anywhere in the request.
"""

from __future__ import annotations


def _rows(weight: float, words: str) -> dict[str, float]:
    return {word.strip().replace("_", " "): weight for word in words.split()}


HEADS: dict[str, dict[str, float]] = {
    "TRIVIAL": _rows(
        3.0, "rename bump format reformat prettify lint move copy list count sort run execute rerun print cat"
    )
    | _rows(1.8, "delete remove replace read show report uppercase lowercase ls grep tail head wc"),
    "SIMPLE": _rows(2.8, "find locate search lookup summarize summarise where which what does fetch return")
    | _rows(1.2, "check add update fix write change set tell give get note open quote extract confirm"),
    "MEDIUM": _rows(
        2.2,
        "implement build create refactor integrate port convert extend explain review document describe rewrite restructure"
        " compare analyze analyse research wire support handle introduce generate split consolidate modernize modernise"
        " understand map trace test cover adapt replicate reproduce how",
    ),
    "COMPLEX": _rows(
        2.6,
        "design architect redesign investigate debug diagnose audit plan optimize optimise evaluate migrate harden decide"
        " prove rearchitect threat-model triage untangle weigh why assess critique",
    ),
}

PHRASES: dict[str, dict[str, float]] = {
    "TRIVIAL": _rows(1.4, "typo whitespace trailing_comma version_number import_order semicolons one_line the_variable")
    | _rows(1.0, "exact_output exit_code the_file the_constant the_field line_count number_of"),
    "SIMPLE": _rows(
        1.0, "one_function this_function single_file docstring unit_test_for_the look_up where_is is_defined which_file"
    ),
    "MEDIUM": _rows(
        1.6,
        "feature endpoint_that tests_for_the_module test_suite integration_tests end-to-end several_files each_service"
        " all_modules every_module existing_patterns acceptance_criteria step_by_step refactoring synthesis thorough report_on"
        " how_does how_do edge_cases trade_offs across_the_repo across_the_project all_callers every_caller component",
    ),
    "COMPLEX": _rows(
        2.6,
        "find_out_why figure_out_why work_out_why race_condition race_conditions deadlock deadlocks intermittent intermittently sporadic sporadically flaky flakes"
        " memory_leak leaks leaking root_cause root-cause concurrency concurrent thread-safe thread_safety architecture"
        " architectural trade-off trade-offs tradeoff tradeoffs distributed data_loss corruption corrupts zero-downtime"
        " zero_downtime migration migrations consistency idempotent security vulnerability vulnerabilities exploit"
        " threat_model performance_regression bottleneck scalability entire_codebase whole_codebase entire_system"
        " all_services sign_off sign-off final_review merge_gate go/no-go conflicting nondeterministic non-deterministic"
        " heisenbug invariant invariants protocol algorithm sometimes_fails randomly under_load strategy roadmap",
    ),
}

RISK: dict[str, tuple[str, ...]] = {
    "secret": ("secret", "secrets", "credential", "credentials", "api key", "api keys", "private key", "token rotation"),
    "authorisation": ("authentication", "authorization", "authorisation", "permissions", "rbac", "oauth", "login flow",
                      "access control", "session tokens", "password", "passwords", "sso", "jwt"),
    "cryptography": ("encrypt", "encryption", "decrypt", "cryptography", "cryptographic", "signature check", "hmac", "tls"),
    "payment": ("payment", "payments", "billing", "invoice", "invoices", "refund", "refunds", "charge", "payout", "payouts"),
    "vulnerability": ("vulnerability", "vulnerabilities", "cve", "exploit", "injection", "xss", "csrf", "sandbox escape"),
    "personal data": ("gdpr", "personal data", "pii", "patient", "patients", "medical records"),
    "destructive": ("production database", "prod database", "drop table", "truncate table", "force push", "force-push",
                    "rm -rf", "wipe", "purge", "production data", "in production", "on production", "irreversible"),
}  # fmt: skip

STEERING = (
    "this is trivial", "trivial task", "cheapest model", "smallest model", "small model", "fast model", "cheap model",
    "no need to think", "low effort", "ignore previous", "ignore all previous", "easy task", "classify this as", "simple task",
)  # fmt: skip

MODEL_NAMES = ("opus", "sonnet", "haiku", "fable")
MODEL_CUES = frozenset(["on", "use", "using", "with", "via", "model", "run"])
