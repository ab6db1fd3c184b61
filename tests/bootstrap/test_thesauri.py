"""Thesauri: RDF in two forms, SKOS and SKOS-XL, and a Skosmos server's JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fake_apis import FakeApi, answer

from ilspfc.bootstrap.concepts import BootstrapLog, Concept, Subject
from ilspfc.bootstrap.skos import iter_skos, iter_skosmos
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    import httpx2

TURTLE = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@base <http://example.org/thesaurus/> .
# The subject, with labels of both kinds.
<bees> a skos:Concept ; skos:prefLabel "bees"@en, "Bienen"@de ;
    skos:altLabel 'honey\\u0020bees'@en-GB ; skos:narrower <hives> ; .
<hives> skos:prefLabel "hives"@en ; skos:broader <bees> ;
    xl:prefLabel [ a xl:Label ; xl:literalForm "Bienenstöcke"@de ] ;
    skos:related <honey> .
<frames> skos:broader <hives> ; skos:prefLabel \"\"\"wooden
    "frames\\"\"\"\"@en ; skos:notation 12 , -3.5 , true , "x"^^<int> .
<honey> skos:prefLabel "honey"@en , "miele"@it ; skos:member <frames>, <bees> .
<http://example.org/other> skos:prefLabel "cars"@en .
"""
RDF_XML = """\
<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [<!ENTITY skos "http://www.w3.org/2004/02/skos/core#">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="&skos;"
    xmlns:xl="http://www.w3.org/2008/05/skos-xl#" xml:base="http://example.org/thesaurus/">
  <skos:Concept rdf:about="bees">
    <skos:prefLabel xml:lang="en">bees</skos:prefLabel>
    <skos:prefLabel xml:lang="de">Bienen</skos:prefLabel>
    <skos:altLabel xml:lang="en-GB">honey bees</skos:altLabel>
    <skos:narrower>
      <skos:Concept rdf:about="hives">
        <skos:prefLabel xml:lang="en">hives</skos:prefLabel>
        <skos:related rdf:resource="honey"/>
        <xl:prefLabel rdf:parseType="Resource">
          <xl:literalForm xml:lang="de">Bienenstöcke</xl:literalForm>
        </xl:prefLabel>
      </skos:Concept>
    </skos:narrower>
  </skos:Concept>
  <rdf:Description rdf:about="frames">
    <rdf:type rdf:resource="&skos;Concept"/>
    <skos:broader rdf:resource="hives"/>
    <skos:prefLabel xml:lang="en">wooden
        "frames"</skos:prefLabel>
  </rdf:Description>
  <skos:Concept rdf:about="honey" xml:lang="en"><skos:prefLabel>honey</skos:prefLabel></skos:Concept>
</rdf:RDF>
"""


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _collect(
    path: Path, subject: str = "Bees", depth: int = 2, max_concepts: int = 100
) -> tuple[dict[str, Concept], BootstrapLog]:
    log = BootstrapLog()
    bees = Subject(subject, ("eng", "deu"), depth, max_concepts)
    found = iter_skos(path, bees, log)
    return {concept.identity.rpartition("/")[2]: concept for concept in found}, log


@pytest.fixture(params=["thesaurus.ttl", "thesaurus.rdf"])
def thesaurus(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    name: str = request.param
    return _write(tmp_path, name, TURTLE if name.endswith("ttl") else RDF_XML)


def test_a_concept_and_what_is_narrower(thesaurus: Path) -> None:
    concepts, log = _collect(thesaurus)
    assert {name: c.depth for name, c in concepts.items()} == {
        "bees": 0,
        "hives": 1,
        "frames": 2,
    }
    assert concepts["bees"].names == {"eng": "bees", "deu": "Bienen"}
    assert concepts["bees"].variants == {"eng": ["honey bees"]}
    assert concepts["hives"].names == {"eng": "hives", "deu": "Bienenstöcke"}
    assert concepts["frames"].names == {"eng": 'wooden "frames"'}
    assert log.counts["bootstrap/concepts"] == 3


def test_the_subject_may_be_a_label_in_any_language(thesaurus: Path) -> None:
    assert "frames" in _collect(thesaurus, "bienen")[0]
    assert {*_collect(thesaurus, "Honey bees", depth=0)[0]} == {"bees"}


def test_relations_count_as_links(thesaurus: Path) -> None:
    concepts, _ = _collect(thesaurus)
    assert {name: c.links for name, c in concepts.items()} == {
        "bees": 1,
        "hives": 2,
        "frames": 1,
    }


def test_an_unknown_label_is_answered_with_others(thesaurus: Path) -> None:
    with pytest.raises(
        BootstrapError, match="no concept is called hivs; the nearest are hives"
    ):
        _collect(thesaurus, "hivs")


def test_concepts_are_bounded(thesaurus: Path) -> None:
    concepts, log = _collect(thesaurus, max_concepts=2)
    assert {*concepts} == {"bees", "hives"}
    assert log.counts["bootstrap/dropped/page_limit"] == 1


def test_a_circle_of_concepts_ends(tmp_path: Path) -> None:
    text = '@prefix s: <http://www.w3.org/2004/02/skos/core#>.\n<a> s:prefLabel "a"@en;'
    path = _write(tmp_path, "t.ttl", f"{text} s:narrower <b>. <b> s:narrower <a>, <b>.")
    assert {*_collect(path, "a", depth=9)[0]} == {"a"}  # the other has no label


# -- RDF ---------------------------------------------------------------------------------

LABEL = "<http://www.w3.org/2004/02/skos/core#prefLabel>"


def test_n_triples_are_turtle(tmp_path: Path) -> None:
    text = f'<u:a> {LABEL} "c\\"\\u00e4"@de .\n_:x {LABEL} "C\\"ä"@en .\n'
    concepts, _ = _collect(_write(tmp_path, "t.nt", text), 'c"ä')
    assert concepts["u:a"].names == {"deu": 'c"ä'}
    assert [c.names for c in concepts.values()][1:] == [{"eng": 'C"ä'}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<a> <b> "c"', "line 1.*followed by a dot"),
        ("<a> x:b <c> .", "The prefix x: has not been declared"),
        ("<a> <b> <c> <d> .", "line 1"),
        ("<html>not found</html>", "line 1"),
        ('<a> "b" <c> .', "line 1"),
        (f"<a>\n<b> {'( ' * 90_000}", "line 2"),
        ("<a> <b> <c> .", "no label of SKOS in it"),
        (f"<a>\n<b> {'[ <b> ' * 90_000}<c>{' ]' * 90_000} .", "no label of SKOS in it"),
    ],
)
def test_what_is_no_turtle_is_named_by_line(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(BootstrapError, match=message):
        _collect(_write(tmp_path, "t.ttl", text))


@pytest.mark.parametrize("name", ["t.ttl", "t.rdf"])
def test_what_stands_before_an_error_is_read(tmp_path: Path, name: str) -> None:
    text = f'<u:a> {LABEL} "Bees"@en .\n<d> <e> .'
    if name == "t.rdf":
        text = RDF_XML[: RDF_XML.index("<rdf:Description")]
    bees = Subject("Bees", ("eng", "deu"), 2, 100)
    concepts = iter_skos(_write(tmp_path, name, text), bees, BootstrapLog())
    assert next(concepts).names["eng"].casefold() == "bees"
    with pytest.raises(BootstrapError, match="what stands before is kept"):
        list(concepts)


@pytest.mark.parametrize(
    "text", ["", "no XML", RDF_XML[:-30], RDF_XML.replace("</rdf:D", "</x")]
)
def test_what_is_no_rdf_xml_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(BootstrapError, match="cannot be read as RDF"):
        _collect(_write(tmp_path, "t.rdf", text))


@pytest.mark.parametrize("name", ["missing.ttl", "missing.rdf"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(BootstrapError, match="cannot be read"):
        _collect(tmp_path / name)


def test_a_file_outside_is_never_read(tmp_path: Path) -> None:
    secret = _write(tmp_path, "secret.txt", "a secret")
    entity = f'[<!ENTITY x SYSTEM "{secret.as_uri()}"> '
    text = RDF_XML.replace("[", entity, 1).replace(">bees<", ">&x;<")
    with pytest.raises(BootstrapError, match="cannot be read as RDF") as caught:
        _collect(_write(tmp_path, "t.rdf", text))
    assert "a secret" not in str(caught.value)


def test_nested_entities_are_refused(tmp_path: Path) -> None:
    bomb = '[<!ENTITY a "bees"> <!ENTITY b "&a;&a;"> '
    text = RDF_XML.replace("[", bomb, 1).replace(">bees<", ">&b;<")
    with pytest.raises(BootstrapError, match="entities inside entities"):
        _collect(_write(tmp_path, "t.rdf", text))


# -- Skosmos -----------------------------------------------------------------------------

VOCABULARY = "https://finto.example.org/rest/v1/yso"
PREFIX = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
GRAPH = {
    "u:bees": """
<u:bees> skos:prefLabel "bees"@en, "Bienen"@de ; skos:altLabel "honey bees"@en ;
    skos:narrower <u:hives> . <u:honey> skos:broader <u:bees> .""",
    "u:hives": """
<u:hives> skos:prefLabel "hives"@en ; skos:related <u:honey> ; skos:narrower <u:bees> .""",
    "u:honey": '<u:honey> skos:prefLabel "Honig"@de, "honung"@sv .',
}


def _skosmos(url: str, params: dict[str, str]) -> object:
    """Answer as Skosmos does."""
    if url.endswith("/search"):
        query = params["query"].rstrip("*")
        labels = ["bees"] if query and "bees".startswith(query.lower()) else []
        results = [
            {"uri": "u:bees", "prefLabel": name, "lang": "en"} for name in labels
        ]
        return {"uri": "", "results": results}
    if params["uri"] not in GRAPH:
        return answer(b"", 404, "text/plain")
    return _turtle(GRAPH[params["uri"]])


def _turtle(text: str) -> httpx2.Response:
    return answer((PREFIX + text).encode(), content_type="text/turtle;charset=utf-8")


def _ask(
    api: FakeApi, subject: str = "Bees", depth: int = 2
) -> tuple[dict[str, Concept], BootstrapLog]:
    log = BootstrapLog()
    bees = Subject(subject, ("eng", "deu"), depth, 10)
    found = iter_skosmos(api.client(), VOCABULARY + "/", bees, log)
    return {concept.identity: concept for concept in found}, log


def test_a_server_is_asked_for_each_concept_once() -> None:
    api = FakeApi(_skosmos)
    concepts, _ = _ask(api)
    assert {name: c.depth for name, c in concepts.items()} == {
        "u:bees": 0,
        "u:hives": 1,
        "u:honey": 1,
    }
    assert concepts["u:bees"].names == {"eng": "bees", "deu": "Bienen"}
    assert concepts["u:bees"].variants == {"eng": ["honey bees"]}
    assert concepts["u:honey"].names == {"deu": "Honig"}
    assert [p["uri"] for p in api.asked[1:]] == ["u:bees", "u:hives", "u:honey"]
    assert {p["format"] for p in api.asked[1:]} == {"text/turtle"}


def test_depth_0_is_the_concept_alone() -> None:
    assert {*_ask(FakeApi(_skosmos), depth=0)[0]} == {"u:bees"}


def test_an_unknown_label_is_answered_with_the_nearest() -> None:
    with pytest.raises(
        BootstrapError, match="no concept is called Beez; the nearest are bees"
    ):
        _ask(FakeApi(_skosmos), "Beez")


def test_what_is_no_skosmos_is_named() -> None:
    with pytest.raises(BootstrapError, match="no Skosmos server's"):
        _ask(FakeApi(lambda url, params: {"hits": 0}))


def test_what_is_no_turtle_of_a_server_is_named() -> None:
    def respond(url: str, params: dict[str, str]) -> object:
        return _skosmos(url, params) if url.endswith("/search") else _turtle("<u:")

    with pytest.raises(BootstrapError, match="/data: no Turtle"):
        _ask(FakeApi(respond))


def test_a_concept_that_is_not_there_is_counted() -> None:
    graph = '<u:bees> skos:prefLabel "bees"@en ; skos:narrower <u:x> .'

    def respond(url: str, params: dict[str, str]) -> object:
        is_bees = params.get("uri") == "u:bees"
        return _turtle(graph) if is_bees else _skosmos(url, params)

    concepts, log = _ask(FakeApi(respond))
    assert {*concepts} == {"u:bees"}
    assert log.counts["bootstrap/dropped/not_answered"] == 1


def test_what_was_read_before_an_error_is_given() -> None:
    def respond(url: str, params: dict[str, str]) -> object:
        is_honey = params.get("uri") == "u:honey"
        return answer(b"", 500) if is_honey else _skosmos(url, params)

    bees = Subject("bees", ("eng",), 2, 10)
    client = FakeApi(respond).client()
    concepts = iter_skosmos(client, VOCABULARY, bees, BootstrapLog())
    found = [next(concepts).identity for _ in range(2)]
    with pytest.raises(BootstrapError, match="HTTP 500"):
        next(concepts)
    assert found == ["u:bees", "u:hives"]
