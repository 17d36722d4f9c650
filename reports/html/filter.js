"use strict";
// The filter hides rules; nothing is fetched, and without it all rules show.
const form = document.getElementById("filter");
const output = form.querySelector("output");
const rules = [...document.querySelectorAll(".rule")];
function chosen(name) {
  return [...form.querySelectorAll(`input[name=${name}]:checked`)].map((box) => box.value);
}
function filter() {
  const verdicts = chosen("verdict"), severities = chosen("severity");
  const topic = form.elements.topic.value, words = form.elements.words.value.trim().toLowerCase();
  let shown = 0;
  for (const rule of rules) {
    const show = verdicts.includes(rule.dataset.verdict) && severities.includes(rule.dataset.severity) &&
      (topic === "" || topic === rule.dataset.topic) && rule.textContent.toLowerCase().includes(words);
    rule.hidden = !show;
    shown += show ? 1 : 0;
  }
  output.textContent = output.dataset.words.replace("SHOWN", shown).replace("ALL", rules.length);
}
// A link to a rule must lead somewhere, and print must show all of it.
function reveal() {
  const rule = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (rule && rule.classList.contains("rule")) {
    rule.hidden = false;
    rule.open = true;
    rule.scrollIntoView();
  }
}
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((d) => { d.open = true; });
});
addEventListener("afterprint", () => closed.forEach((d) => { d.open = false; }));
addEventListener("hashchange", reveal);
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
filter();
reveal();
