"use strict";
/* Tables are sorted by their heads and filtered by a word; the chart tells what is under the mouse.
   No "less than" and no ampersand here, so that the page is XML as well. */
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, at) => row.cells[at].dataset.value ?? row.cells[at].textContent;
  const compare = (one, other) => {
    if (one === "" || other === "") return one === other ? 0 : one === "" ? 1 : -1;
    const difference = Number(one) - Number(other);
    return Number.isNaN(difference) ? one.localeCompare(other, undefined, { numeric: true }) : difference;
  };
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("greatest-first") ? "descending" : "ascending";
      const second = first === "ascending" ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? second : first;
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const rows = [...body.rows].sort((one, other) => {
        const [left, right] = [value(one, at), value(other, at)];
        const empty = left === "" || right === "";
        return (empty ? 1 : sign) * compare(left, right);
      });
      body.append(...rows);
    });
  });
}
for (const field of document.querySelectorAll(".filter")) {
  field.hidden = false;
  const input = field.querySelector("input");
  const told = field.querySelector("output");
  const rows = [...document.getElementById(input.dataset.table).tBodies[0].rows];
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    told.textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
  });
}
for (const figure of document.querySelectorAll("figure.versions")) {
  const readout = figure.querySelector(".readout");
  const usual = readout.textContent;
  figure.addEventListener("pointerover", (event) => {
    const bar = event.target.closest ? event.target.closest(".chart a") : null;
    readout.textContent = bar ? bar.querySelector(".hit").dataset.tip : usual;
  });
  figure.addEventListener("pointerleave", () => { readout.textContent = usual; });
}
window.addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details:not(.whole)")) each.open = true;
});
