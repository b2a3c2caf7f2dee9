/* Copies commands without prompts and outputs, and gives names to parts of the theme that have none. */
const PROMPTS = /^(?:\$|>>>|\.\.\.) ?/;
for (const block of document.querySelectorAll(".language-console, .language-pycon")) {
  const lines = block.textContent.split("\n").filter((line) => PROMPTS.test(line));
  block.setAttribute("data-copy", lines.map((line) => line.replace(PROMPTS, "")).join("\n"));
}
document.querySelector(".md-search").setAttribute("aria-label", "Search");
document.querySelector("nav.md-path")?.setAttribute("aria-label", "Where this page is");
const name = () => {
  for (const buttons of document.querySelectorAll("nav.md-code__nav:not([role])")) buttons.setAttribute("role", "group");
};
new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
name();
