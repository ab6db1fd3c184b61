"""Domain definitions: two formats, and every line that is wrong told by its number."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.classification.definition import (
    Domain,
    DomainInfo,
    Problem,
    Term,
    check_domain,
    parse_domain,
)
from ilspfc.exceptions import DomainError

TSV = "weight\tterm\tsubdomain\tlang\n"


def parse(text: str) -> tuple[Domain, list[Problem]]:
    return parse_domain(text, "test")


def terms(text: str) -> tuple[Term, ...]:
    domain, problems = parse(text)
    assert problems == []
    return domain.terms


@pytest.mark.parametrize(
    ("line", "term"),
    [
        ("100:Helm", Term(100, "Helm")),
        ("100:Helm=Schutz", Term(100, "Helm", ("Schutz",))),
        ("100:Helm=Schutz>de", Term(100, "Helm", ("Schutz",), "deu")),
        ("100:Helm>de", Term(100, "Helm", (), "deu")),
        ("100:Helm=Schutz; Bau ;>ger", Term(100, "Helm", ("Schutz", "Bau"), "deu")),
        ("-50:Datensicherheit=>de", Term(-50, "Datensicherheit", (), "deu")),
        (" 2.5 :  lavoro   in\u00a0quota = x > it ", Term(2.5, "lavoro in quota", ("x",), "ita")),
        ("1:ISO 45001: Norm", Term(1, "ISO 45001: Norm")),
        ("1:安全>zh-Hans", Term(1, "安全", (), "zho")),
    ],
)  # fmt: skip
def test_a_line_of_the_topic_format_is_a_term(line: str, term: Term) -> None:
    assert terms(line) == (term,)


@pytest.mark.parametrize(
    ("line", "term"),
    [
        ("100\tHelm", Term(100, "Helm")),
        ("100\tHelm\t\t", Term(100, "Helm")),
        ("100\tHelm\tSchutz;Bau\tde", Term(100, "Helm", ("Schutz", "Bau"), "deu")),
        ("-1e1\tHelm\t\tde", Term(-10, "Helm", (), "deu")),
        ("1\tnorma: uso = obbligo > scelta\t\tit", Term(1, "norma: uso = obbligo > scelta", (), "ita")),
    ],
)  # fmt: skip
def test_a_line_of_the_tsv_is_a_term(line: str, term: Term) -> None:
    assert terms(TSV + line) == (term,)


@pytest.mark.parametrize(
    "line",
    ["50; Biene; insects; de", "50  Biene   insects  de", "50\tBiene\tinsects\tde"],
)
@pytest.mark.parametrize("header", ["", TSV, "weight; term; subdomain; lang\n"])
def test_columns_can_be_typed_where_no_tab_can(header: str, line: str) -> None:
    assert terms(header + line) == (Term(50, "Biene", ("insects",), "deu"),)
    assert terms(f"{header}50; Honig St. Gallen: 1;; de")[0].text == (
        "Honig St. Gallen: 1"
    )


def test_columns_may_stand_in_any_order() -> None:
    text = "Lang\tnote\tTERM\t weight \nde\tx\tHelm\t5\n"
    assert terms(text) == (Term(5, "Helm", (), "deu"),)


def test_comments_and_empty_lines_are_passed_over() -> None:
    text = "# a comment\n\n  \n  # weight\tterm\n5:Helm\n#6:Schuh\n"
    assert terms(text) == (Term(5, "Helm"),)


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_files_of_every_system_are_read(line_break: str, mark: str) -> None:
    expected = (Term(1, "Helm", ("a",), "deu"), Term(2, "Schuh", ("b",), "deu"))
    lines = ["weight\tterm\tsubdomain\tlang", "1\tHelm\ta\tde", "2\tSchuh\tb\tde", ""]
    assert terms(mark + line_break.join(lines)) == expected
    assert terms(mark + line_break.join(["1:Helm=a>de", "2:Schuh=b>de"])) == expected


@pytest.mark.parametrize("text", ["", "\n\n", "# only comments\n", TSV, "\ufeff"])
def test_an_empty_definition_has_no_terms_and_no_problems(text: str) -> None:
    assert parse(text) == (Domain("test", ()), [])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Helm", "by tabs or semicolons (50; bee; insects; en), or write weight:"),
        ("100 Helm=x", "separate weight, term, subdomain and language by tabs"),
        ("viel:Helm", "weight 'viel' is no number"),
        (":Helm", "weight '' is no number"),
        ("1,5:Helm", "weight '1,5' is no number"),
        ("0:Helm", "not a finite number other than 0"),
        ("-0.0:Helm", "not a finite number other than 0"),
        ("nan:Helm", "not a finite number"),
        ("inf:Helm", "not a finite number"),
        ("-1e999:Helm", "not a finite number"),
        ("1:", "the term is empty"),
        ("1:  =Schutz", "the term is empty"),
        ("1: - =Schutz", "the term is empty"),
        ("1:Helm>xx", "'xx' is no known language code"),
        ("1:Helm=a>deutsch", "'deutsch' is no known language code"),
        ("2:SCHUH>de", "term 'SCHUH' is given in line 2 already"),
    ],
)
def test_a_wrong_line_is_told_by_its_number_and_left_out(
    line: str, message: str
) -> None:
    domain, problems = parse(f"# comment\n1:Schuh>de\n\n{line}\n1:Brille>de\n")
    assert [term.text for term in domain.terms] == ["Schuh", "Brille"]
    assert [problem.line for problem in problems] == [4]
    assert message in problems[0].message
    assert str(problems[0]).startswith("line 4: ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("100", "the term is empty"),
        ("\tHelm", "weight '' is no number"),
        ("Helm\t100", "weight 'Helm' is no number"),
        ("1\tHelm\ta\tde\textra", "5 columns, but the header has 4"),
        ("1\tHelm\ta\tkeine", "'keine' is no known language code"),
        ("1\tschuh\t\tger", "given in line 2 already"),
    ],
)
def test_a_wrong_row_is_told_by_its_number_and_left_out(
    line: str, message: str
) -> None:
    domain, problems = parse(f"{TSV}1\tSchuh\t\tde\n\n{line}\n1\tBrille\t\tde\n")
    assert [term.text for term in domain.terms] == ["Schuh", "Brille"]
    assert [problem.line for problem in problems] == [4]
    assert message in problems[0].message


@pytest.mark.parametrize(
    ("header", "missing"),
    [
        ("weight\tlang", "'term'"),
        ("term\tlang", "'weight'"),
        ("Gewicht\tHelm", "'weight'"),
    ],
)
def test_a_header_without_weight_or_term_is_the_only_problem(
    header: str, missing: str
) -> None:
    domain, problems = parse(f"# comment\n{header}\n1\tde\n")
    assert domain.terms == ()
    assert problems == [Problem(2, f"the header lacks the column {missing}")]


def test_a_term_may_be_given_once_in_each_language() -> None:
    assert len(terms("1:Radon>de\n1:Radon>it\n1:Radon\n")) == 3


def test_every_problem_is_told() -> None:
    _, problems = parse("x:a\n1:b\ny:c\nz:d\n")
    assert [problem.line for problem in problems] == [1, 3, 4]


@settings(deadline=None)
@given(st.text("05-.:=>\t\n#; aé", max_size=60) | st.text(max_size=60))
def test_any_text_is_terms_and_problems(text: str) -> None:
    domain, problems = parse(text)
    assert all(term.weight and term.text.strip() for term in domain.terms)
    assert [p.line for p in problems] == sorted({p.line for p in problems})


def test_a_domain_knows_its_languages_and_their_terms() -> None:
    domain, _ = parse("1:Helm>de\n2:casco>it\n3:EN 397\n-4:Hut>de\n")
    assert domain.langs == ("deu", "ita")
    assert [term.text for term in domain.terms_in("deu")] == ["Helm", "EN 397", "Hut"]
    assert [term.text for term in domain.terms_in("fra")] == ["EN 397"]


@pytest.mark.parametrize(
    ("weights", "median"),
    [
        (["100"], 100),
        (["100", "50"], 75),
        (["100", "50", "10"], 50),
        (["100", "-900", "50"], 75),
        (["-5"], 0),
        ([], 0),
    ],
)
def test_the_unit_of_relevance_is_the_median_positive_weight(
    weights: list[str], median: float
) -> None:
    domain, _ = parse("\n".join(f"{w}:t{i}" for i, w in enumerate(weights)))
    assert domain.median_weight() == median


# -- may it be used? ---------------------------------------------------------------------


def test_a_right_definition_is_returned() -> None:
    domain, problems = parse("1:Helm")
    assert check_domain(domain, problems, "x.txt") is domain


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "1:Helm\nfoo",
            ["x.txt: line 2: 'foo': separate weight", "scrapy domain check x.txt"],
        ),
        ("a:b\nc:d\ne:f", ["x.txt: line 1: weight 'a'", "(2 more)"]),
        ("# nothing", ["x.txt: no terms", "domains/README.md"]),
    ],
)
def test_a_wrong_definition_is_refused_in_one_line(text: str, parts: list[str]) -> None:
    with pytest.raises(DomainError) as caught:
        check_domain(*parse(text), "x.txt")
    message = str(caught.value)
    assert all(part in message for part in parts)
    assert "(0 more)" not in message
    assert "\n" not in message


def test_comments_of_combine_are_the_metadata() -> None:
    text = (
        "# Topic title=Fire safety\n#Topic Author = A. Muster\n# Topic date=2026-03-01\n"
        "# Topic title=another\n# title=none\n100: search project=OK\n"
    )
    domain, problems = parse_domain(text, "fire")
    assert not problems
    assert domain.info == DomainInfo(
        title="Fire safety", author="A. Muster", date="2026-03-01"
    )
    assert parse_domain("100: fire=OK", "fire")[0].info == DomainInfo()


def test_a_topic_definition_of_combine_is_one_of_ours() -> None:
    """The example of 003, with its comments; terms that name no language count in all."""
    text = """#This is the topic definition file
# Topic title=search engine
100: search project=OK
100: search result=OK
50: search engine=OK
"""
    domain, problems = parse_domain(text, "search")
    assert problems == []
    assert [(term.weight, term.text, term.subdomains) for term in domain.terms] == [
        (100.0, "search project", ("OK",)),
        (100.0, "search result", ("OK",)),
        (50.0, "search engine", ("OK",)),
    ]
    assert domain.terms_in("ell") == domain.terms
