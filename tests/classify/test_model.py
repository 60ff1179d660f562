"""The model file: what it is made of, and that every machine reads it alike."""

from __future__ import annotations

import hashlib
import json

import pytest

from downshift import assets
from downshift.classify import model
from downshift.classify.classifier import classify
from tests.conftest import REPOSITORY

PROMPTS = REPOSITORY / "tests" / "prompts"
ANSWERS = REPOSITORY / "tests" / "classify" / "answers.json"
DATA = assets.data_bytes(model.NAME)


def test_the_weights_are_those_that_the_header_names():
    head, _, body = DATA.partition(b"\n")
    facts = json.loads(head)
    assert hashlib.sha256(body).hexdigest() == facts["weights_sha256"]
    assert len(body) == model.BUCKETS * len(model.COLUMNS)


@pytest.mark.parametrize("split", ["train", "dev"])
def test_the_model_was_made_from_the_corpus_that_is_here(split):
    facts = json.loads(DATA.partition(b"\n")[0])
    assert facts[f"{split}_sha256"] == hashlib.sha256((PROMPTS / f"{split}.jsonl").read_bytes()).hexdigest()


def test_the_training_never_opens_the_test_split():
    text = (REPOSITORY / "training" / "train.py").read_text()
    assert 'if split == "test":' in text
    assert "test.jsonl" not in text


@pytest.mark.parametrize("answer", json.loads(ANSWERS.read_text(encoding="utf-8")), ids=lambda answer: answer["id"])
def test_every_python_gives_the_committed_answers(answer):
    """Determinism: `python tests/classify/make_answers.py` writes them anew after a training."""
    judged = classify(answer["prompt"])
    assert (judged.complexity, judged.confident) == (answer["complexity"], answer["confident"])
    rounded = {name: round(value, 6) for name, value in judged.probabilities.items()}
    assert rounded == pytest.approx(answer["probabilities"], abs=2e-6)


def test_the_place_of_a_feature_is_the_same_everywhere():
    made = model.Model(DATA)
    for name in ("", "a:rename", "b:the cause", "a:é"):
        number = int.from_bytes(name.encode(), "little") % model.PRIME
        assert made.place_of(name) == (number % model.BUCKETS, number // model.BUCKETS)
    assert all(each**2 > model.PRIME or model.PRIME % each for each in range(2, 5794)), "a prime"
    assert model.PRIME < 256 * model.BUCKETS, "a mark is a byte"


def test_what_was_never_learnt_weighs_nothing():
    made = model.Model(DATA)
    known = ["a:rename", "h:rename", "a:the"]
    assert made.scores(known) == made.scores([*known, "a:xyzzy-never-seen", "b:plugh xyzzy"])
