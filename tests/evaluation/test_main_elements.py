"""Labels of the texts of a page by its main element."""

from __future__ import annotations

from evaluation.main_elements import FRAME, MAIN, NEITHER, MainElement, read_labels


def test_texts_are_labelled_by_the_element_that_they_come_from() -> None:
    element = MainElement(
        (), "//main", neither='//div[@class="toc"]', frame='//p[@class="up"]'
    )
    page = (
        b"<body><p>Start <b>here</b></p><main><div class=toc>1. Start</div><p>Start"
        b" here</p><p class=up>Up</p></main><script>none</script></body>"
    )
    texts = ["Start here", "1. Start", "Start here", "Up", "not there"]
    assert read_labels(element, page, texts) == [FRAME, NEITHER, MAIN, FRAME, NEITHER]
