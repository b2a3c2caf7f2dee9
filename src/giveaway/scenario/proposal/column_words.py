"""What the names of columns mean, in English, German and a little French and Spanish."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

Role = Literal["known", "sensitive", "direct", "id", "unclear"]
"""Known to others; worth protecting; pointing at one person; naming a row; nothing of these."""


@dataclass(frozen=True)
class Meaning:
    """What a column may be about, and the role that it then has."""

    word: str
    role: Role


_ID = r"(id|ids|uid|guid|uuid|nr|no|num|number|nummer|key|kennung|kennzeichen|identifier|schluessel)"
_PERSON = (
    r"(patient|person|customer|client|member|user|subject|participant|respondent|individual|student|employee|"
    r"kunde|klient|proband|teilnehmer|mitglied|versichert|mitarbeiter|schueler|paciente|persona|cliente|usuario)"
)
_PERSON_ID = rf"{_PERSON}(en|n|s|e)? ?{_ID}?|p ?id|pat ?id|subj ?id|cust ?id|emp ?id"

_WORDS: tuple[tuple[str, Role, str], ...] = (
    ("name", "direct", r"(first|last|sur|full|fore|given|family|birth|maiden|middle|nach|vor|geburts|familien) ?name|apellido|prenom"),
    ("contact", "direct", r"\be ?mail|\bmail\b|phone|telefon|\btel\b|\bmobile\b|\bhandy|\bfax\b|\bcorreo"),
    ("number of a person", "direct", r"\bssn\b|social sec|\biban\b|passport|\bnhs\b|kvnr|svnr|versich\w*n(umme)?r|steuer ?(id|n)|insurance (no|num|id)"),
    ("address", "direct", r"address|\baddr\b|\bstreet|strasse|hausn|house ?n(o|um)|\badresse|anschrift|direccion|\bcalle\b|\brue\b|\blat\b|latitude|\blon\b|\blng\b|longitude|\bcoord|\bgps\b|breitengrad|langengrad"),
    ("free text", "direct", r"\bnotes?\b|comment|remark|bemerkung|kommentar|freitext|free ?text|\bnotiz|anmerkung|observaci|remarque|anamnes|arztbrief|epikrise|\bbefund|beschreibung|description"),
    ("birth", "known", r"birth|\bdob\b|\byob\b|geburt|\bgeb\b|naissance|nacimiento|\bborn\b|jahrgang"),
    ("date", "unclear", r"\bdate|datum|fecha|timestamp|date ?time"),
    ("age", "known", r"\bage\b|\bage ?(group|band|class|cat)|\balter(s(gruppe|klasse|jahr\w*))?\b|\bedad\b|lebensalter"),
    ("sex", "known", r"\bsex\b|gender|geschlecht|\bsexe\b|\bsexo\b|\bgenero\b"),
    ("family", "known", r"marr?ied|marital|familienstand|children|\bkinder|household|haushalt|spouse|civil"),
    ("job", "known", r"\bjob|occupation|beruf|profession|employ(ed|er|ment)|arbeitgeber|branche|workclass|metier|empleo|ocupacion"),
    ("education", "known", r"educ|school|\bdegree\b|bildung|abschluss|estudios|diplom"),
    ("origin", "known", r"\brace\b|ethnic|nationalit|staatsange|citizen|\bblack\b|hispanic|latino|migra|language|sprache|herkunft|nacionalidad"),
    ("place", "known", r"\bzip|postal|post ?code|\bplz\b|postleitzahl|\bcity\b|\btown\b|\b(wohn)?ort\b|stadt|region|district|county|\bstate\b|provin[cz]|kreis\b|bezirk|\b(bundes)?land\b|country|neighbou?rhood|\bville\b|commune|ciudad|municip|\barea\b|\binst\b|institution|hospital\b|clinic\b|klinik|\bward\b|\bstation\b|abteilung|residence|wohnsitz|gemeinde|[ck]anton"),
    ("health", "sensitive", r"diagnos|\bicd|disease|illness|\bill\b|krank|treatment|therap|behandlung|medica|medik|\bdrugs?\b|medicine|symptom|surgery|transplant|\bhiv\b|cancer|tumou?r|krebs|health|hlth|gesund|\bdeath|\bdead\b|\bdied\b|deceased|surviv|relapse|ecog|karno|chron|\bblood|\bblut|\bbmi\b|cholest|glucose|smok|rauch|alcohol|alkohol|pregnan|schwanger|psych|disab|behinder|allerg|vaccin|\bimpf|maladie|traitement|enfermedad|tratamiento|\bsalud|\bsante\b|diabet|morbid"),
    ("money", "sensitive", r"income|faminc|salary|\bwages?\b|gehalt|\blohn|einkommen|earning|\bpay\b|revenu|ingreso|salaire|salario|\bcredit|kredit|\bdebt|schulden|\bloan|wealth|vermogen|insur|versicher|pension|\brente\b"),
    ("belief or private life", "sensitive", r"religi|konfession|politic|\bparty\b|partei|\bvote|gewerkschaft|affair|sexual|glaube"),
    ("crime", "sensitive", r"crime|offen[cs]e\b|convict|vorstrafe|arrest"),
    ("id", "id", rf"^({_PERSON_ID})$|(^| ){_ID}$|[a-z](nr|nummer)$|^id\b"),
    ("name", "direct", r"\bnames?\b|\bnom\b|\bnombre\b|user ?name"),
)  # fmt: skip
_MEANINGS = tuple((Meaning(word, role), re.compile(pattern)) for word, role, pattern in _WORDS)


def meaning_of(name: str) -> Meaning | None:
    """Return what a name says of its column; of several meanings the first in the list.

    >>> meaning_of("Geburtsdatum"), meaning_of("PatientID")
    (Meaning(word='birth', role='known'), Meaning(word='id', role='id'))
    """
    words = _plain(name)
    return next((meaning for meaning, pattern in _MEANINGS if pattern.search(words)), None)


def names_people(name: str) -> bool:
    """Tell whether a name says that the column numbers people, not rows or other things."""
    return re.fullmatch(_PERSON_ID, _plain(name)) is not None


def names_rows(name: str, *, running: bool) -> bool:
    """Tell whether a column holds the names of rows that tools for statistics write: unnamed, or running numbers."""
    words = _plain(name)
    return re.match(r"unnamed\b|index level", words) is not None or (
        running and re.fullmatch(r"row ?(names?|nr|no|num|number|id)?|index|x", words) is not None
    )


def _plain(name: str) -> str:
    """Return the words of a name in small letters without accents, a blank between two."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower().replace("ß", "ss")
    bare = "".join(
        letter for letter in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(letter)
    )
    return " ".join(re.split(r"[^a-z0-9]+", bare)).strip()
