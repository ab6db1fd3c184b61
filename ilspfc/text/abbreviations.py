"""Abbreviations that tell where sentences end or go on."""

from __future__ import annotations

# Abbreviations that never end a sentence.
_BINDING = {
    "deu": "abb. abs. anm. art. bd. bzw. ca. dr. evtl. fr. gem. ggf. hr. hrn. inkl. kap. "
    "lt. max. min. nr. prof. sog. st. str. tel. vgl. vs. zzgl.",
    "ell": "αγ. αι. αν. αρ. αριθ. αριθμ. άρθ. βλ. δηλ. δρ. εδ. εικ. κ. κα. κεφ. κκ. λ.χ. παρ. "
    "περ. π.δ. π.χ. πίν. πρβλ. σ. σελ. σσ. στ. σχ. τηλ. τόμ. υποσημ. φ.ε.κ. χιλ.",
    "eng": "approx. cf. dr. e.g. gen. gov. i.e. messrs. mr. mrs. ms. mt. prof. rev. sen. "
    "viz. vs.",
    "por": "aprox. art. arts. av. cap. cf. d. dir. dr. dra. drs. eng. engª. ex. exa. exas. "
    "exma. exmo. fig. figs. fr. núm. pág. págs. pe. pres. prof. profa. prof.ª r. rev. séc. "
    "sr. sra. sras. srs. srta. sta. sto. tab. tel. v. vol. vols.",
    "fra": "av. cf. dr. env. m. me. mgr. mlle. mm. mme. mmes. pr. st. ste. tél. vs.",
    "ita": "all. art. artt. avv. c.d. cass. cfr. civ. d.l. d.lgs. d.m. d.p.r. dott. "
    "dott.ssa es. fig. figg. gazz. geom. ing. lett. nn. on. p.es. pag. pagg. par. pp. "
    "prof. prof.ssa rag. sez. sig. sig.ra sigg. tab. tel. uff.",
    "spa": "aprox. art. arts. cap. cfr. d. da. dir. dña. dr. dra. fig. gral. lic. núm. "
    "núms. pág. págs. prof. sr. sra. sres. srta. sta. sto. tel. ud. uds. vid.",
}

# Abbreviations that end no sentence where a number follows.
_BINDING_NUMBER = {
    "": "art. arts. cap. ch. chap. fig. figs. n. nn. no. nos. nr. nrs. p. par. pp. sec. "
    "tab. vol. vols.",
    "deu": "rn. s. ziff.",
    "ell": "ν. τ. αρθρ.",
    "eng": "apr. app. aug. c. ca. dec. eq. ex. feb. jan. jul. jun. mar. nov. oct. paras. "
    "pt. r. s. sep. sept. ss.",
    "fra": "al. éd. éq. ill. l. litt. paragr.",
    "por": "al. apd. dec. ed. inc. l. liv. séc. t. tít.",
    "ita": "c. cap. co. comma doc. l. reg. s. voll.",
    "spa": "apdo. ej. ley. párr. t.",
}

BINDING_WORDS = {lang: frozenset(words.split()) for lang, words in _BINDING.items()}
NUMBER_WORDS = {lang: frozenset(s.split()) for lang, s in _BINDING_NUMBER.items()}

# Abbreviations that may end a sentence and do so where a capital letter follows, which the
# library does not see: what closes a list, units, hours.
ENDINGS = (
    "etc. ecc. usw. usf. κ.λπ. κ.ά. κ.ο.κ. kg. km. cm. mm. ha. std. hrs. secs. yrs. "
    "π.μ. μ.μ. a.m. p.m."
).split()

# Abbreviations of two words, the last of which may end a sentence elsewhere.
BINDING_PAIR = frozenset(
    {"ad es.", "av. j.", "p. ej.", "p. es.", "p. ex.", "par ex.", "por ej."}
)
