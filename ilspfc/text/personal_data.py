"""Personal data in text: e-mail addresses, phone numbers, bank accounts, payment cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from functools import cache

import langcodes


class PersonalDatum(StrEnum):
    """Kinds of personal data, in the order in which they are looked for."""

    EMAIL = "email"
    IBAN = "iban"
    CARD = "card"
    PHONE = "phone"

    @property
    def mask(self) -> str:
        """The text that stands for a datum of this kind."""
        return f"[{self.upper()}]"


_EMAIL_RE = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,}")
# ISO 13616: country, two check digits, up to 30 letters and digits, often in groups of four.
_IBAN_RE = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b")
# ISO/IEC 7812: 13 to 19 digits, for payment from 2 to 6.
_CARD_RE = re.compile(r"(?<![\d.,+])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\d.,]?\d)")
# No phone number has fewer digits.
_PHONE_HINT_RE = re.compile(r"\d(?:[^\w\n]{0,3}\d){5}")
# Dates and plain numbers that would be valid as phone numbers in some countries.
_NO_PHONE_RE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}|[1-9]\d*")


def mask_personal_data(text: str, lang: str) -> tuple[str, Counter[PersonalDatum]]:
    """Return a text with masks in place of personal data, and the number of each kind.

    Numbers of accounts and cards count if their check digits are right, phone numbers if
    they are valid with their country code or in the main country of ``lang`` (ISO 639-3).
    Needs the extra ``privacy``.

    >>> mask_personal_data("Schreiben Sie an a.b@example.org.", "deu")[0]
    'Schreiben Sie an [EMAIL].'
    """
    found: Counter[PersonalDatum] = Counter()
    if "@" in text:
        text = _mask(text, _EMAIL_RE, PersonalDatum.EMAIL, lambda _: True, found)
    # Fewer digits are none of the others.
    if _PHONE_HINT_RE.search(text):
        text = _mask(text, _IBAN_RE, PersonalDatum.IBAN, _is_iban, found)
        text = _mask(text, _CARD_RE, PersonalDatum.CARD, _is_card, found)
        text = _mask_phones(text, lang, found)
    return text, found


def _mask(
    text: str,
    pattern: re.Pattern[str],
    kind: PersonalDatum,
    is_valid: Callable[[str], bool],
    found: Counter[PersonalDatum],
) -> str:
    def replace(match: re.Match[str]) -> str:
        if not is_valid(match[0]):
            return match[0]
        found[kind] += 1
        return kind.mask

    return pattern.sub(replace, text)


def _is_iban(text: str) -> bool:
    """Check the digits of an IBAN (ISO 7064, mod 97-10)."""
    code = text.replace(" ", "")
    return int("".join(str(int(c, 36)) for c in code[4:] + code[:4])) % 97 == 1


def _is_card(text: str) -> bool:
    """Check the digits of a card number by Luhn's formula."""
    digits = [int(char) for char in text if char.isdigit()][::-1]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _mask_phones(text: str, lang: str, found: Counter[PersonalDatum]) -> str:
    from phonenumbers import PhoneNumberMatcher  # noqa: PLC0415 - an extra

    matches = PhoneNumberMatcher(text, _territory(lang))
    phones = [one for one in matches if not _NO_PHONE_RE.fullmatch(one.raw_string)]
    for match in reversed(phones):
        text = f"{text[: match.start]}{PersonalDatum.PHONE.mask}{text[match.end :]}"
    found[PersonalDatum.PHONE] += len(phones)
    return text


@cache
def _territory(lang: str) -> str | None:
    """Return the territory where most speakers of a language live (CLDR), if known."""
    return langcodes.get(lang).maximize().territory
