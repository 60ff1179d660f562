"""What each hold means to the person who meets it, and what they can do about it."""

from __future__ import annotations

HOLDS: dict[str, tuple[str, str]] = {
    "HELD_UNCONFIDENT_DOWNSHIFT": (
        "the brief does not say clearly enough that this is a small task",
        "name the files and the one thing to do, and say how the result is checked",
    ),
    "HELD_COMPLEX_DOWNSHIFT": ("a complex task is never lowered", "nothing to do"),
    "HELD_FOREIGN_MODEL": ("the chosen model belongs to another harness", "correct the session list"),
    "HELD_RISK_DOWNSHIFT": ("the task touches something where a mistake is dear", "nothing to do: this is on purpose"),
    "HELD_UNCONFIDENT_UNKNOWN_SMALL": (
        "neither the task nor the model it would run on is clear",
        "name a model in the call, or write a clearer brief",
    ),
    "HELD_UNCONFIDENT_UNKNOWN_FRONTIER": (
        "the task may be hard, and nobody knows what it would run on",
        "name a model in the call",
    ),
    "HELD_UNCONFIDENT_UPSHIFT": (
        "the task may need more than its model, but that is not sure",
        "name a model in the call",
    ),
    "HELD_UNCONFIDENT_UNKNOWN_MID": (
        "neither the task nor the model it would run on is clear",
        "name a model in the call, or write a clearer brief",
    ),
    "HELD_GUESSED_BASELINE": (
        "the current model is a guess from settings, and the middle tier might not be lower",
        "use the plugin, which is told the parent's model",
    ),
    "HELD_QUOTA": (
        "the model that would do has no usage left, or nobody has seen that it has",
        "wait for the window to reset, or see `downshift quota status`",
    ),
    "HELD_CREDIT": (
        "the account's credit does not cover the model that would do",
        "nothing to do: the harness says which models are included",
    ),
    "HELD_NO_SESSION": (
        "nobody knows which models this session can reach",
        "with `try`, say what the session runs on: --model opus; other harnesses: downshift models discover",
    ),
    "HELD_FORK": ("forks, resumes and teammates keep their model", "nothing to do: the harness decides this"),
    "HELD_FORK_COMPACTION": (
        "the child forks the parent's history, which another model would first have to compact on the parent's model",
        "spawn without a fork (fork_turns: none) to let it move",
    ),
    "HELD_NO_TARGET": (
        "no model of the session is strong enough for this task",
        "start the session on a stronger model if you want the task to have one",
    ),
    "HELD_MODEL_FORCED": (
        "CLAUDE_CODE_SUBAGENT_MODEL_FORCE puts every child on one model",
        "unset it to let Downshift choose",
    ),
    "HELD_EXPLICIT_MODEL": (
        "the call names a model and you asked for that to be respected, or it is one for explicit use only",
        "unset respect_explicit, or leave the model out of the call",
    ),
    "HELD_NAMED_MODEL": ("the brief itself names a model", "leave the model out of the brief"),
    "HELD_PERMISSION_MODE": (
        "a command hook may not change a spawn in this permission mode",
        "use the plugin on Claude Code 2.1.287 or later: its mod may",
    ),
    "HELD_UNKNOWN_ENDPOINT": (
        "requests go to a cloud provider or gateway whose models are not known",
        "nothing is changed there until a model list says what it serves",
    ),
    "HELD_AFTER_FAILURE": (
        "the last two children of this type on that model ended badly",
        "look at them with `downshift session --why`; this holds while they are in the recent part of the session",
    ),
    "HELD_PINNED": ("you pinned this type of agent or this project", "remove it from pins in config.json"),
}

CODES: dict[str, str] = {
    "CLASSIFIER_CONFIDENT": "the brief says clearly what is asked",
    "CLASSIFIER_UNCONFIDENT": "the brief can be read in more than one way",
    "RISK_FLOOR": "what the task touches raises it to the middle tier",
    "TIER_FLOOR": "your tier floor for this type of agent raised it",
    "SCORE_ROUTED": "picked by public scores, as you asked",
    "BASELINE_FROM_SETTINGS": "the current model is a guess from settings",
    "AGENT_PINS_MODEL": "the agent's own definition names its model, which is never rewritten",
    "CONTROL": "left alone on purpose, to measure the effect",
}


def explain(code: str) -> str:
    """One line about a reason code."""
    if code in HOLDS:
        meaning, action = HOLDS[code]
        return f"{meaning} → {action}"
    return CODES.get(code, code)
