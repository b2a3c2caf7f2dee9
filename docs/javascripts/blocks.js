/* Copies commands without prompts and outputs, and gives names to parts of the theme that have none. */
for (const [kind, prompt] of [["console", /^\$ /], ["pycon", /^(?:>>>|\.\.\.) ?/]])
  for (const block of document.querySelectorAll(`.language-${kind}`)) {
    const lines = block.textContent.split("\n").filter((line) => prompt.test(line));
    block.setAttribute("data-copy", lines.map((line) => line.replace(prompt, "")).join("\n"));
  }
document.querySelector(".md-search").setAttribute("aria-label", "Search");
document.querySelector("nav.md-path")?.setAttribute("aria-label", "Where this page is");
for (const part of document.querySelectorAll("nav.md-nav nav.md-nav")) part.setAttribute("role", "group");
const name = () => {
  for (const buttons of document.querySelectorAll("nav.md-code__nav:not([role])")) buttons.setAttribute("role", "presentation");
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])"))
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0; // so that keys can scroll it
};
new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
name();
