"""Which license a URL or a name means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.cleaning.metadata.licenses import (
    find_names,
    identify_name,
    identify_url,
    may_be_license,
    url_of,
)

URLS = [
    # Creative Commons: scheme, host, form of the text, language, port, query
    ("https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"),
    ("http://creativecommons.org/licenses/by/4.0", "CC-BY-4.0"),
    ("//creativecommons.org/licenses/by-sa/3.0/", "CC-BY-SA-3.0"),
    ("https://www.creativecommons.org/licenses/by-nc/2.0/", "CC-BY-NC-2.0"),
    ("HTTPS://CreativeCommons.org/Licenses/BY-SA/4.0/", "CC-BY-SA-4.0"),
    ("https://creativecommons.org/licenses/by-nd/4.0/deed.de", "CC-BY-ND-4.0"),
    ("https://creativecommons.org/licenses/by/4.0/deed.zh-hans", "CC-BY-4.0"),
    ("https://creativecommons.org/licenses/by-nc-sa/4.0/legalcode", "CC-BY-NC-SA-4.0"),
    ("https://creativecommons.org/licenses/by/4.0/legalcode.it", "CC-BY-4.0"),
    ("https://creativecommons.org/licenses/by/4.0/?ref=chooser-v1#x", "CC-BY-4.0"),
    ("http://creativecommons.org/licenses/by-sa/3.0/de/", "CC-BY-SA-3.0-DE"),
    ("http://creativecommons.org/licenses/by-sa/3.0/at/deed.de", "CC-BY-SA-3.0-AT"),
    ("http://creativecommons.org/licenses/by/3.0/igo/", "CC-BY-3.0-IGO"),
    ("http://creativecommons.org/licenses/by/2.1/jp/", "CC-BY-2.1-JP"),
    ("https://creativecommons.org/licenses/by/4.0/de/", "CC-BY-4.0"),
    ("http://creativecommons.org/licenses/by-nd-nc/1.0/", "CC-BY-NC-ND-1.0"),
    ("http://creativecommons.org/licenses/by/", "CC-BY"),
    ("http://creativecommons.org//licenses//by-sa//4.0", "CC-BY-SA-4.0"),
    (
        "https://web.archive.org/web/20130307/http://creativecommons.org/licenses/by/3.0/",
        "CC-BY-3.0",
    ),
    ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
    ("http://creativecommons.org/publicdomain/zero/1.0/deed.fr", "CC0-1.0"),
    ("https://creativecommons.org/publicdomain/mark/1.0/", "CC-PDM-1.0"),
    # others
    ("https://www.gnu.org/licenses/fdl-1.3.html", "GFDL-1.3"),
    ("http://www.gnu.org/copyleft/fdl.html", "GFDL"),
    ("https://www.gnu.org/licenses/old-licenses/fdl-1.2.txt", "GFDL-1.2"),
    ("https://www.gnu.org/licenses/gpl-3.0.en.html", "GPL-3.0"),
    ("https://www.gnu.org/licenses/lgpl-3.0.html", "LGPL-3.0"),
    ("https://www.apache.org/licenses/LICENSE-2.0", "Apache-2.0"),
    ("https://opensource.org/licenses/MIT", "MIT"),
    ("http://www.opensource.org/licenses/mit-license.php", "MIT"),
    ("https://opensource.org/license/bsd-3-clause/", "BSD-3-Clause"),
    ("https://spdx.org/licenses/CC-BY-SA-4.0.html", "CC-BY-SA-4.0"),
    ("https://mozilla.org/en-US/MPL/2.0/", "MPL-2.0"),
    (
        "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/",
        "OGL-UK-3.0",
    ),
    ("http://www.nationalarchives.gov.uk/doc/open-government-licence/", "OGL-UK"),
    ("https://opendatacommons.org/licenses/odbl/1-0/", "ODbL-1.0"),
    ("http://opendatacommons.org/licenses/by/1.0/", "ODC-By-1.0"),
    ("https://www.govdata.de/dl-de/by-2-0", "DL-DE-BY-2.0"),
    ("https://www.dati.gov.it/iodl/2.0/", "IODL-2.0"),
    ("https://data.norge.no/nlod/en/2.0", "NLOD-2.0"),
]
NO_LICENSES = [
    "",
    "https://creativecommons.org/",
    "https://creativecommons.org/licenses/",
    "https://creativecommons.org/licenses/by-nd-sa/4.0/",
    "https://creativecommons.org/about/cclicenses/",
    "https://creativecommons.org/publicdomain/by/1.0/",
    "https://notcreativecommons.org/licenses/by/4.0/",
    "https://creativecommons.org.example/licenses/by/4.0/",
    "https://example.org/?u=https://creativecommons.org/licenses/by/4.0/",
    "/licenses/by/4.0/",
    "https://www.gnu.org/licenses/",
    "https://www.gnu.org/licenses/fdl-howto.html",
    "https://opensource.org/licenses/",
    "https://spdx.org/licenses/No-Such-One.html",
    "http://[x",
]


@pytest.mark.parametrize(("url", "name"), URLS)
def test_a_url_means_a_license(url: str, name: str) -> None:
    assert identify_url(url) == name
    assert may_be_license(url)


@pytest.mark.parametrize("url", NO_LICENSES)
def test_other_urls_mean_none(url: str) -> None:
    assert identify_url(url) == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("CC BY 4.0", "CC-BY-4.0"),
        ("cc-by-sa-4.0", "CC-BY-SA-4.0"),
        (" CC BY-NC-ND\n3.0 ", "CC-BY-NC-ND-3.0"),
        ("CC BY-SA-3.0-DE", "CC-BY-SA-3.0-DE"),
        ("CC-BY", "CC-BY"),
        ("CC0", "CC0-1.0"),
        ("CC0-1.0", "CC0-1.0"),
        ("mit", "MIT"),
        ("CC BY-ND-SA 4.0", ""),
        ("All rights reserved", ""),
        ("", ""),
    ],
)
def test_a_name_means_a_license(text: str, name: str) -> None:
    assert identify_name(text) == name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("This work is licensed under CC BY-SA 4.0.", ["CC-BY-SA-4.0"]),
        ("Questo testo è sotto CC-BY 3.0 (IT).", ["CC-BY-3.0"]),
        ("unter der CC-BY-SA-Lizenz", ["CC-BY-SA"]),
        ("CC0-Lizenz", ["CC0-1.0"]),
        ("Wikimedia / CC BY\xa0v2.0", ["CC-BY-2.0"]),
        ("CC BY-SA-3.0-DE", ["CC-BY-SA-3.0-DE"]),
        ("CC BY 2.0, CC BY-NC 2.0", ["CC-BY-2.0", "CC-BY-NC-2.0"]),
        ("(creativecommons.org/licenses/by/4.0/deed.de).", ["CC-BY-4.0"]),
        ("http://www.creativecommons.org/licenses/by-sa/3.0/de/", ["CC-BY-SA-3.0-DE"]),
        ("cc by 4.0", []),
        ("color: #CC0; background: #CC0000", []),
        ("ACC BY 4.0, CC BYTE", []),
        ("a.creativecommons.org/licenses/by/4.0", []),
        ("?x=CC0", []),
        ("the licenses of Creative Commons", []),
    ],
)
def test_names_are_found_in_running_text(text: str, names: list[str]) -> None:
    assert [name for name, _ in find_names(text)] == names


@pytest.mark.parametrize(
    "name", dict.fromkeys(n for _, n in URLS if n.startswith("CC"))
)
def test_the_url_of_creative_commons_is_made_from_the_name(name: str) -> None:
    assert identify_url(url_of(name)) == name


@given(
    st.text(), st.sampled_from(["", "https://creativecommons.org/licenses/", "CC BY"])
)
def test_any_text_can_be_asked_about(text: str, start: str) -> None:
    identify_name(start + text)
    list(find_names(start + text))
    if identify_url(start + text):
        assert may_be_license(start + text)
