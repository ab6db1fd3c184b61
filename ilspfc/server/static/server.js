"use strict";
// Keys: the first letter of a verdict chooses it, Enter goes on; elsewhere those of the footer.
document.addEventListener("keydown", (event) => {
  const field = event.target.closest("input:not([type=radio]), textarea, select");
  if (field || event.ctrlKey || event.metaKey || event.altKey) return;
  const form = document.querySelector("form.judge");
  if (form) {
    const choices = [...form.querySelectorAll(`[data-key="${CSS.escape(event.key)}"]`)];
    // The same letter in two questions: the first one without a verdict.
    const open = choices.find((one) => !form.elements[one.name].value) || choices[0];
    if (open) open.checked = true;
    const names = new Set([...form.querySelectorAll("[data-key]")].map((one) => one.name));
    const isDone = [...names].every((name) => form.elements[name].value);
    if (event.key === "Enter" || (open && isDone)) form.requestSubmit();
    return;
  }
  const link = { n: "[rel=next]", p: "[rel=prev]" }[event.key];
  if (link) document.querySelector(`main ${link}`)?.click();
  if (event.key === "/") document.querySelector("input[type=search]")?.focus();
  if (event.key === "?") document.querySelector(".keys").toggleAttribute("open");
  if (event.key === "x") {
    const place = document.activeElement.closest("tr, .sides") || document.querySelector("main");
    place.querySelector("button.quiet")?.click();
  }
  if ("/?".includes(event.key)) event.preventDefault();
  const rows = [...document.querySelectorAll("[data-row]")];
  const step = { j: 1, k: -1 }[event.key];
  if (!rows.length || !step) return;
  const place = rows.indexOf(document.activeElement) + step;
  rows[Math.max(0, Math.min(rows.length - 1, place))].focus();
});

// Terms from a file go into the field: nothing but the form is sent.
document.addEventListener("click", (event) => {
  if (!event.target.matches("[data-terms]")) return;
  event.preventDefault();
  const label = event.target.closest("label");
  const chooser = label.querySelector("input[type=file]");
  chooser.onchange = async () => {
    label.querySelector("textarea").value = await chooser.files[0].text();
  };
  chooser.click();
});

// The words of a unit that translate each other are marked together.
document.addEventListener("mouseover", (event) => {
  document.querySelectorAll("[data-w].on").forEach((one) => one.classList.remove("on"));
  const word = event.target.closest("[data-w]");
  const both = word?.closest(".texts").querySelectorAll(`[data-w="${word.dataset.w}"]`);
  both?.forEach((one) => one.classList.add("on"));
});
