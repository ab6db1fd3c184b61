"""Thesauri: RDF in two forms, SKOS and SKOS-XL, and a Skosmos server's JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fake_apis import FakeApi, answer

from ilspfc.bootstrap.concepts import Concept, Ledger
from ilspfc.bootstrap.thesauri.rdf import Triple, iter_rdf_xml
from ilspfc.bootstrap.thesauri.skos import SkosSource
from ilspfc.bootstrap.thesauri.skosmos import SkosmosSource
from ilspfc.bootstrap.thesauri.turtle import iter_turtle
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import to_iso639_3

if TYPE_CHECKING:
    from pathlib import Path

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
<honey> skos:prefLabel "honey"@en , "miele"@it ; skos:member ( <frames> <bees> ) .
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
) -> tuple[dict[str, Concept], Ledger]:
    ledger = Ledger()
    source = SkosSource(
        path, depth=depth, max_concepts=max_concepts, ledger=ledger, to_code=to_iso639_3
    )
    found = source.iter_concepts(subject, ("eng", "deu"))
    return {concept.identity.rpartition("/")[2]: concept for concept in found}, ledger


@pytest.fixture(params=["thesaurus.ttl", "thesaurus.rdf"])
def thesaurus(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    name: str = request.param
    return _write(tmp_path, name, TURTLE if name.endswith("ttl") else RDF_XML)


def test_a_concept_and_what_is_narrower(thesaurus: Path) -> None:
    concepts, ledger = _collect(thesaurus)
    assert {name: c.depth for name, c in concepts.items()} == {
        "bees": 0,
        "hives": 1,
        "frames": 2,
    }
    assert concepts["bees"].names == {"eng": "bees", "deu": "Bienen"}
    assert concepts["bees"].variants == {"eng": ["honey bees"]}
    assert concepts["hives"].names == {"eng": "hives", "deu": "Bienenstöcke"}
    assert concepts["frames"].names == {"eng": 'wooden "frames"'}
    assert ledger.counts["bootstrap/concepts"] == 3


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
    concepts, ledger = _collect(thesaurus, max_concepts=2)
    assert {*concepts} == {"bees", "hives"}
    assert ledger.counts["bootstrap/dropped/page_limit"] == 1


def test_a_circle_of_concepts_ends(tmp_path: Path) -> None:
    text = '@prefix s: <http://www.w3.org/2004/02/skos/core#>.\n<a> s:prefLabel "a"@en;'
    path = _write(tmp_path, "t.ttl", f"{text} s:narrower <b>. <b> s:narrower <a>, <b>.")
    assert {*_collect(path, "a", depth=9)[0]} == {"a"}  # the other has no label


# -- RDF ---------------------------------------------------------------------------------


def test_collections_and_anonymous_nodes(tmp_path: Path) -> None:
    path = _write(tmp_path, "t.ttl", TURTLE)
    triples = list(iter_turtle(path))
    members = [
        t.object.rpartition("/")[2] for t in triples if t.predicate.endswith("#member")
    ]
    assert members == ["frames", "bees"]
    numbers = [t.object for t in triples if t.predicate.endswith("#notation")]
    assert numbers == ["12", "-3.5", "true", "x"]
    label = next(t for t in triples if t.predicate.endswith("xl#prefLabel"))
    assert label.object.startswith("_:")


def test_n_triples_are_turtle(tmp_path: Path) -> None:
    text = '<http://a/> <http://b/> "c\\"\\u00e4"@de .\n_:x <http://b/> <http://d/> .\n'
    assert list(iter_turtle(_write(tmp_path, "t.nt", text))) == [
        Triple("http://a/", "http://b/", 'c"ä', "de"),
        Triple("_:x", "http://b/", "http://d/"),
    ]


def test_tokens_may_lie_across_the_pieces_that_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _write(tmp_path, "t.ttl", TURTLE)
    whole = list(iter_turtle(path))
    for size in (1, 2, 3, 7):
        monkeypatch.setattr("ilspfc.bootstrap.thesauri.turtle._CHUNK_CHARS", size)
        assert list(iter_turtle(path)) == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '<a> <b> "c"',
            r"line 1: no Turtle: the end of the file stands where \. should",
        ),
        ('<a> <b>\n"c\n".', "line 2: no Turtle:"),
        ("<a> x:b <c> .", "the prefix x: is not declared"),
        ("<a> <b> <c> <d> .", r"<d> stands where \. should"),
        ("<html>not found</html>", "no Turtle"),
        ('<a> "b" <c> .', "is no resource"),
        ("<a> <b> ( <c> ", "is no resource"),
        (f"<a>\n<b> {'[ <b> ' * 900}<c>{' ]' * 900} .", "line 2: no Turtle: more than"),
        (f"<a> <b> {'( ' * 9000}", r"more than 100 \[ or \( are open"),
        ("<http://[a> <b> <c> .", r"<http://\[a> is no IRI"),
    ],
)
def test_what_is_no_turtle_is_named_by_line(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(BootstrapError, match=message):
        list(iter_turtle(_write(tmp_path, "t.ttl", text)))


def test_a_number_beyond_unicode_is_no_character(tmp_path: Path) -> None:
    path = _write(tmp_path, "t.ttl", r'<a> <b> "\UFFFFFFFF \U0010FFFD \U0001F41D" .')
    assert [triple.object for triple in iter_turtle(path)] == [
        "UFFFFFFFF \U0010fffd 🐝"
    ]


def test_blank_nodes_may_lie_deep(tmp_path: Path) -> None:
    text = f"<a> <b> {'[ <b> ' * 99}<c>{' ]' * 99} ."
    assert len(list(iter_turtle(_write(tmp_path, "t.ttl", text)))) == 100


def test_what_stands_before_an_error_is_read(tmp_path: Path) -> None:
    path = _write(tmp_path, "t.ttl", "<http://a/> <http://b/> <http://c/> .\n<d> <e> .")
    triples = iter_turtle(path)
    assert next(triples) == Triple("http://a/", "http://b/", "http://c/")
    with pytest.raises(BootstrapError, match="line 2"):
        next(triples)


@pytest.mark.parametrize(
    "text", ["", "no XML", RDF_XML[:-30], RDF_XML.replace("</rdf:D", "</x")]
)
def test_what_is_no_rdf_xml_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(BootstrapError, match="cannot be read as RDF/XML"):
        list(iter_rdf_xml(_write(tmp_path, "t.rdf", text)))


@pytest.mark.parametrize("name", ["missing.ttl", "missing.rdf"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(BootstrapError, match="cannot be read"):
        _collect(tmp_path / name)


def test_a_file_outside_is_never_read(tmp_path: Path) -> None:
    secret = _write(tmp_path, "secret.txt", "a secret")
    entity = f'<!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    text = RDF_XML.replace('<?xml version="1.0"?>', "").partition("]>")[2]
    text = entity + text.replace("&skos;", "http://s/").replace(">bees<", ">&x;<")
    triples = list(iter_rdf_xml(_write(tmp_path, "t.rdf", text)))
    assert any(triple.object == "Bienen" for triple in triples)
    assert not any("secret" in triple.object for triple in triples)


# -- Skosmos -----------------------------------------------------------------------------

VOCABULARY = "https://finto.example.org/rest/v1/yso"
GRAPH: dict[str, dict[str, Any]] = {
    "u:bees": {
        "prefLabel": [
            {"lang": "en", "value": "bees"},
            {"lang": "de", "value": "Bienen"},
        ],
        "altLabel": {"lang": "en", "value": "honey bees"},
        "narrower": [{"uri": "u:hives"}, "u:honey"],
    },
    "u:hives": {
        "prefLabel": {"lang": "en", "value": "hives"},
        "related": {"uri": "u:honey"},
        "narrower": "u:bees",
    },
    "u:honey": {
        "prefLabel": [
            {"lang": "de", "value": "Honig"},
            {"lang": "sv", "value": "honung"},
        ]
    },
}


def _skosmos(url: str, params: dict[str, str]) -> object:
    """Answer as Skosmos does, whose data are compacted JSON-LD."""
    context = {"skos": "http://www.w3.org/2004/02/skos/core#", "uri": "@id"}
    if url.endswith("/search"):
        query = params["query"].rstrip("*")
        labels = ["bees"] if query and "bees".startswith(query.lower()) else []
        results = [
            {"uri": "u:bees", "prefLabel": name, "lang": "en"} for name in labels
        ]
        return {"@context": context, "uri": "", "results": results}
    uri = params["uri"]
    if uri not in GRAPH:
        return answer(b"", 404, "text/plain")
    scheme = {"uri": "u:scheme", "type": "skos:ConceptScheme"}
    return {"@context": context, "graph": [scheme, {"uri": uri, **GRAPH[uri]}]}


def _ask(
    api: FakeApi, subject: str = "Bees", depth: int = 2
) -> tuple[dict[str, Concept], Ledger]:
    ledger = Ledger()
    source = SkosmosSource(
        api.asker(),
        VOCABULARY + "/",
        depth=depth,
        max_concepts=10,
        ledger=ledger,
        to_code=to_iso639_3,
    )
    found = source.iter_concepts(subject, ("eng", "deu"))
    return {concept.identity: concept for concept in found}, ledger


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
    assert {p["format"] for p in api.asked[1:]} == {"application/json"}


def test_depth_0_is_the_concept_alone() -> None:
    assert {*_ask(FakeApi(_skosmos), depth=0)[0]} == {"u:bees"}


def test_a_concept_without_a_graph_around_it() -> None:
    def respond(url: str, params: dict[str, str]) -> object:
        found = _skosmos(url, params)
        return (
            found["graph"][1] if isinstance(found, dict) and "graph" in found else found
        )

    assert len(_ask(FakeApi(respond))[0]) == 3


def test_an_unknown_label_is_answered_with_the_nearest() -> None:
    with pytest.raises(
        BootstrapError, match="no concept is called Beez; the nearest are bees"
    ):
        _ask(FakeApi(_skosmos), "Beez")


def test_what_is_no_skosmos_is_named() -> None:
    with pytest.raises(BootstrapError, match="no Skosmos server's"):
        _ask(FakeApi(lambda url, params: {"hits": 0}))


def test_a_concept_that_is_not_there_is_counted() -> None:
    graph = {
        "uri": "u:bees",
        "prefLabel": GRAPH["u:bees"]["prefLabel"],
        "narrower": "u:x",
    }

    def respond(url: str, params: dict[str, str]) -> object:
        return graph if params.get("uri") == "u:bees" else _skosmos(url, params)

    concepts, ledger = _ask(FakeApi(respond))
    assert {*concepts} == {"u:bees"}
    assert ledger.counts["bootstrap/dropped/not_answered"] == 1


def test_what_was_read_before_an_error_is_given() -> None:
    def respond(url: str, params: dict[str, str]) -> object:
        return (
            answer(b"", 500)
            if params.get("uri") == "u:honey"
            else _skosmos(url, params)
        )

    ledger = Ledger()
    source = SkosmosSource(
        FakeApi(respond).asker(),
        VOCABULARY,
        depth=2,
        max_concepts=10,
        ledger=ledger,
        to_code=to_iso639_3,
    )
    concepts = source.iter_concepts("bees", ("eng",))
    found = [next(concepts).identity for _ in range(2)]
    with pytest.raises(BootstrapError, match="HTTP 500"):
        next(concepts)
    assert found == ["u:bees", "u:hives"]
