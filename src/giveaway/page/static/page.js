"use strict";
// What the browser does by itself: words while a slider moves, the limit by its grip, dots by keys, focus, and a word now and then.
const $ = (query, of = document) => of.querySelector(query);
const $$ = (query, of = document) => [...of.querySelectorAll(query)];
const LEFT = 48, RIGHT = 308;

function value(text) { const [a, b] = text.split("/"); return b ? a / b : Number(a); }

function words(slider) {
  slider.style.setProperty("--at", `${(slider.value - slider.min) / (slider.max - slider.min || 1) * 100}%`);
  if (slider.dataset.words) {
    const said = JSON.parse(slider.dataset.words)[slider.value];
    $(`#${slider.dataset.says}`).textContent = said;
    slider.setAttribute("aria-valuetext", said);
  }
  $$(`[data-slider="${slider.id}"]`).forEach((mark) => mark.setAttribute("aria-pressed", mark.dataset.value === slider.value));
}

function move(slider, place) {
  const to = Math.max(Number(slider.min), Math.min(Number(slider.max), place));
  if (to === Number(slider.value)) return;
  slider.value = to;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  slider.dispatchEvent(new Event("change", { bubbles: true }));
}

// A slider asks at most every 120 ms, and always ends on its last place; where measuring is slow, it asks only when it is let go.
let waits = 0, before = 0;
function ask(form) {
  waits ||= setTimeout(() => { waits = 0; before = Date.now(); form.dispatchEvent(new Event("ask")); }, Math.max(0, 120 - (Date.now() - before)));
}
document.addEventListener("input", (event) => {
  if (event.target.type !== "range") return;
  words(event.target);
  if (event.target.form?.id === "question" && !$("#answer [data-slow]")) ask(event.target.form);
});
document.addEventListener("change", (event) => {
  if (event.target.form?.id === "question") ask(event.target.form);
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  if (event.target.id === "chosen" && event.target.files.length) event.target.form.requestSubmit();
});
document.addEventListener("click", (event) => {
  const mark = event.target.closest("[data-slider]"), pick = event.target.closest(".pick"), copy = event.target.closest("[data-copy]");
  if (mark) move($(`#${mark.dataset.slider}`), Number(mark.dataset.value));
  if (pick?.dataset.limit) { $("#limit-chosen").value = pick.dataset.limit; $("#limit-form").requestSubmit(); }
  if (copy) navigator.clipboard.writeText($(`#${copy.dataset.copy}`).textContent).then(() => { copy.textContent = "Copied"; });
});
document.addEventListener("keydown", (event) => {
  const grip = event.target.closest?.("[data-grip]"), pick = event.target.closest?.(".pick");
  if (grip) {
    const slider = $(`#limit-${grip.dataset.grip}`), step = { ArrowLeft: 1, ArrowDown: 1, ArrowRight: -1, ArrowUp: -1 }[event.key];
    if (step && slider) { event.preventDefault(); move(slider, Number(slider.value) + step * rising(slider)); }
  }
  if (pick && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); pick.dispatchEvent(new MouseEvent("click", { bubbles: true })); }
  if (pick && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    const all = $$(".pick"), next = all[all.indexOf(pick) + (event.key === "ArrowRight" ? 1 : -1)];
    if (next) { event.preventDefault(); next.focus(); }
  }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.target.matches?.("input[type=text], textarea")) {
    event.preventDefault();
    $(event.shiftKey ? "#redo" : "#undo")?.click();
  }
});

// A limit that asks for crowds falls from left to right on its slider; the others rise.
function rising(slider) { const places = JSON.parse(slider.dataset.limits); return value(places[0]) > value(places[places.length - 1]) ? 1 : -1; }

let dragged = null;
document.addEventListener("pointerdown", (event) => { const grip = event.target.closest?.("[data-grip]"); if (grip) { dragged = grip; event.preventDefault(); } });
document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  const name = dragged.dataset.grip, slider = $(`#limit-${name}`), drawing = $(`[data-grip="${name}"]`)?.closest("svg");
  if (!slider || !drawing) return;
  const box = drawing.getBoundingClientRect(), top = Number(dragged.getAttribute("aria-valuemax"));
  const wanted = ((event.clientX - box.left) / box.width * drawing.viewBox.baseVal.width - LEFT) / (RIGHT - LEFT) * top;
  const places = JSON.parse(slider.dataset.limits).map(value);
  move(slider, places.reduce((best, limit, place) => Math.abs(limit - wanted) < Math.abs(places[best] - wanted) ? place : best, 0));
});
document.addEventListener("pointerup", () => { dragged = null; });

const drop = $("#drop");
if (drop) {
  for (const name of ["dragenter", "dragover"]) drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over-it"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over-it"));
  drop.addEventListener("drop", (event) => { event.preventDefault(); $("#chosen").files = event.dataTransfer.files; if ($("#chosen").files.length) drop.requestSubmit(); });
}

let spoken = "", last = 0, waiting = 0;
function speak() {
  const said = $("[data-spoken]")?.textContent ?? "";
  if (!said || said === spoken) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => { last = Date.now(); spoken = said; $("#spoken").textContent = said; }, Math.max(0, 1000 - (Date.now() - last)));
}

// Requests may overtake each other; the server takes none that is older than the last.
let asked = 0;
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb !== "post") return;
  asked = Math.max(asked + 1, Date.now() * 1000);
  event.detail.parameters.seq = String(asked);
});

let gripped = null;
document.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.xhr.status === 409) { event.detail.shouldSwap = true; event.detail.isError = false; event.detail.target = $("#main"); event.detail.swapOverride = "innerHTML"; } });
document.addEventListener("htmx:beforeSwap", () => { gripped = document.activeElement?.dataset?.grip ?? null; });
document.addEventListener("htmx:afterSettle", () => { speak(); $$("input[type=range]").forEach(words); if (gripped) $(`[data-grip="${gripped}"]`)?.focus(); gripped = null; if (document.activeElement === document.body) $("#main h1")?.focus({ preventScroll: true }); });

// What was chosen before this script stood is sent now: only that differs, because no form is filled in again by the browser.
function differs(one) {
  if (one.type === "radio") return one.checked && !one.defaultChecked;
  if (one.type === "checkbox") return one.checked !== one.defaultChecked;
  if (one.options) return one.selectedIndex !== Math.max(0, [...one.options].findIndex((option) => option.defaultSelected));
  return one.type !== "hidden" && one.value !== one.defaultValue;
}
document.addEventListener("DOMContentLoaded", () => $$("input, select").filter(differs).forEach((one) => one.dispatchEvent(new Event("change", { bubbles: true }))));

$$("input[type=range]").forEach(words);
$("#main h1")?.focus({ preventScroll: true });
document.title = `${$("#main h1")?.textContent ?? "giveaway"} - giveaway`;
speak();
window.addEventListener("beforeunload", (event) => { if ($("#head [data-unsaved]") && !leaving) event.preventDefault(); });
let leaving = false;
for (const name of ["click", "submit"]) document.addEventListener(name, (event) => { if (event.target.closest("a[href], form")) leaving = true; });
setInterval(() => fetch("alive").catch(() => {}), 20000);
