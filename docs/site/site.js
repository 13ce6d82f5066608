"use strict";
// The menu of narrow windows, anchors beside headings, buttons that copy commands, and the search box.
const nav = document.getElementById("nav"), menu = document.getElementById("menu");
menu.addEventListener("click", () => menu.setAttribute("aria-expanded", String(nav.classList.toggle("open"))));
document.getElementById("main").addEventListener("click", () => nav.classList.remove("open"));
nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

for (const h of document.querySelectorAll("h2[id], h3[id]")) {
  const a = document.createElement("a");
  a.className = "here"; a.href = "#" + h.id; a.textContent = "#"; a.setAttribute("aria-label", "This section");
  h.append(a);
}
for (const pre of document.querySelectorAll("pre.sh, pre.toml, pre.python")) {
  const b = document.createElement("button");
  b.textContent = "copy";
  b.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.querySelector("code").textContent);
    b.textContent = "copied";
    setTimeout(() => { b.textContent = "copy"; }, 1500);
  });
  if (navigator.clipboard) pre.append(b);
}

const box = document.getElementById("search"), found = document.getElementById("found"), root = document.body.dataset.root;
let chosen = -1;
function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  found.replaceChildren();
  chosen = -1;
  if (found.hidden) return;
  const hits = [];
  for (const s of pages) {
    const title = (s.p + " " + s.h).toLowerCase(), text = s.t.toLowerCase();
    let score = 0;
    for (const w of words) {
      const n = (title.includes(w) ? 10 : 0) + Math.min(5, text.split(w).length - 1);
      if (n === 0) { score = 0; break; }
      score += n;
    }
    if (score > 0) hits.push({ s, score });
  }
  hits.sort((a, b) => b.score - a.score);
  for (const { s } of hits.slice(0, 12)) {
    const a = document.createElement("a"), b = document.createElement("b"), span = document.createElement("span");
    a.href = root + "/" + s.u;
    b.textContent = s.h ? s.p + " › " + s.h : s.p;
    const at = Math.max(0, s.t.toLowerCase().indexOf(words[0]) - 60);
    span.textContent = (at > 0 ? "…" : "") + s.t.slice(at, at + 160);
    a.append(b, span);
    a.addEventListener("click", () => { found.hidden = true; });
    found.append(a);
  }
  if (hits.length === 0) found.append(Object.assign(document.createElement("p"), { textContent: "Nothing has all of these words." }));
}
box.addEventListener("input", search);
box.addEventListener("keydown", (e) => {
  const all = [...found.querySelectorAll("a")];
  if (e.key === "Escape") { box.value = ""; search(); }
  if (e.key === "Enter" && all.length) all[Math.max(0, chosen)].click();
  if (e.key !== "ArrowDown" && e.key !== "ArrowUp" || !all.length) return;
  e.preventDefault();
  chosen = (chosen + (e.key === "ArrowDown" ? 1 : -1) + all.length) % all.length;
  all.forEach((a, i) => a.classList.toggle("on", i === chosen));
  all[chosen].scrollIntoView({ block: "nearest" });
});
document.addEventListener("click", (e) => { if (!e.target.closest(".search")) found.hidden = true; });
document.addEventListener("keydown", (e) => {
  if (e.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { e.preventDefault(); box.focus(); }
});
