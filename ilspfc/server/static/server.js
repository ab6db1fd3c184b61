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
  if (event.key === "e") document.querySelector(".corpus a[href$='/edit']")?.click();
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

// What is unfolded stays so when a page renews itself.
let unfolded = [];
document.addEventListener("htmx:beforeSwap", () => {
  unfolded = [...document.querySelectorAll("details[id][open]")].map((one) => one.id);
});
document.addEventListener("htmx:afterSwap", () => {
  unfolded.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
});

// Languages are completed one by one.
document.addEventListener("input", (event) => {
  const names = event.target.list;
  if (!names) return;
  const [before] = event.target.value.match(/^.*,\s*|^/);
  for (const one of names.options) {
    one.dataset.name ??= one.value;
    one.value = before + one.dataset.name;
  }
});

// The words of a unit that translate each other are marked together.
document.addEventListener("mouseover", (event) => {
  document.querySelectorAll("[data-w].on").forEach((one) => one.classList.remove("on"));
  const word = event.target.closest("[data-w]");
  const both = word?.closest(".texts").querySelectorAll(`[data-w="${word.dataset.w}"]`);
  both?.forEach((one) => one.classList.add("on"));
});

// On a wide screen a row opens beside its list; opened again, it is a page of its own.
const WIDE = 1200;
document.addEventListener("click", async (event) => {
  const link = event.target.closest("#list table [data-row]");
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || innerWidth < WIDE || link.ariaCurrent) return;
  event.preventDefault();
  const answer = await fetch(link.href);
  if (!answer.ok) return location.assign(link.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const main = page.querySelector("main");
  for (const one of main.querySelectorAll("a[href], form[action]")) {
    const name = one.matches("a") ? "href" : "action";
    one.setAttribute(name, new URL(one.getAttribute(name), link.href));
  }
  closeBeside();
  link.ariaCurrent = "true";
  const beside = document.body.appendChild(document.createElement("aside"));
  beside.ariaLabel = "The row that is open";
  const close = document.createElement("button");
  close.textContent = "Close";
  close.addEventListener("click", closeBeside);
  const title = document.createElement("h2");
  const whole = title.appendChild(document.createElement("a"));
  [whole.href, whole.textContent] = [link.href, page.querySelector("h1").textContent];
  beside.append(close, title, ...main.childNodes);
  htmx.process(beside);
});
function closeBeside() {
  document.querySelector("body > aside")?.remove();
  document.querySelector("[data-row][aria-current]")?.removeAttribute("aria-current");
}
document.addEventListener("keydown", (event) => event.key === "Escape" && closeBeside());
