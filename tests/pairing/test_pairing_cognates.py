"""Which words are of one family."""

from __future__ import annotations

import pytest

from ilspfc.pairing.page_arrays import PageEncoder
from ilspfc.text.cognates import cognate_key, cognate_keys
from ilspfc.text.transcription import sound_keys


@pytest.mark.parametrize(
    "words",
    [
        ("konfiguration", "configurazione", "configuration"),
        ("zentrale", "centrale"),
        ("telefon", "telefono", "telephone", "τηλέφωνο"),
        ("systeme", "sistema", "система", "σύστημα"),
        ("client", "клієнт"),
        ("hypothesis", "гіпотеза", "гипотеза"),
        ("histogram", "гістограма"),
        ("straße", "strasse"),
        ("übersicht", "ubersicht"),
    ],
)
def test_words_of_one_family_have_one_key(words: tuple[str, ...]) -> None:
    assert len({cognate_key(word) for word in words}) == 1
    assert cognate_key(words[0])


@pytest.mark.parametrize("word", ["die", "1984", "x86a", "設定方法", "서울특별시", ""])
def test_short_words_numbers_and_other_scripts_have_none(word: str) -> None:
    assert cognate_key(word) == ""


def test_keys_are_an_array_of_tokens_by_families() -> None:
    keys = cognate_keys(["zentrale", "und", "centrale", "telefon"]).toarray()

    assert keys.shape == (4, 2)
    assert keys[0].tolist() == keys[2].tolist()
    assert keys[1].sum() == 0
    assert keys[3] @ keys[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        ("server", "サーバー", "서버", "서버는"),
        ("module", "モジュール"),
        ("module", "모듈", "모듈을"),
        ("file", "ファイル", "파일"),
        ("directory", "ディレクトリ", "디렉터리"),
        ("system", "システム", "시스템"),
        ("internet", "インターネット", "인터넷"),
        ("software", "ソフトウェア", "소프트웨어"),
        ("window", "ウィンドウ", "윈도우"),
        ("version", "バージョン", "버전"),
        ("packages", "パッケージ", "패키지"),
        ("login", "ログイン", "로그인"),
        ("link", "リンク", "링크"),
        ("weblog", "ウェブログ", "웹로그"),
    ],
)
def test_words_that_sound_alike_share_a_key(words: tuple[str, ...]) -> None:
    assert all(sound_keys(words[0]) & sound_keys(word) for word in words)


@pytest.mark.parametrize(
    "words",
    [
        ("server", "モジュール"),
        ("module", "서버"),
        ("file", "システム"),
        ("internet", "ネットワーク"),
        ("directory", "ドライバー"),
        ("version", "オプション"),
        ("option", "펑션"),
        ("installer", "サーバー"),
    ],
)
def test_words_that_sound_otherwise_do_not(words: tuple[str, str]) -> None:
    assert all(map(sound_keys, words))
    assert not sound_keys(words[0]) & sound_keys(words[1])


@pytest.mark.parametrize("word", ["log", "ログ", "웹", "1984", "設定", "сервер", ""])
def test_short_words_and_other_scripts_have_no_sound(word: str) -> None:
    assert sound_keys(word) == set()


def test_known_parts_of_a_compound_in_katakana_have_a_key_each() -> None:
    known = {"ファイル", "システム"}

    assert sound_keys("ファイルシステム", known) == {"pr", "stm"}
    assert sound_keys("ファイルシステム") == {"prstm"}


def test_keys_by_sound_are_made_where_they_are_asked_for() -> None:
    words = ["server", "サーバー"]

    letters, sounds = (cognate_keys(words, by_sound=b).toarray() for b in (False, True))

    assert letters[0] @ letters[1] == 0
    assert sounds[0] @ sounds[1] == 1


def test_an_encoder_makes_the_keys_anew_when_it_has_more_tokens() -> None:
    encoder = PageEncoder(lambda token, _: token)
    encoder.tokens.add(["server", "サーバー"])

    first = encoder.cognates(by_sound=True)

    assert encoder.cognates(by_sound=True) is first
    encoder.tokens.add(["서버"])
    assert encoder.cognates(by_sound=True).shape[0] == 3
