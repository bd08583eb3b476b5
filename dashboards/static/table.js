// The table of the rows shown: every value as text, sortable by each column, the first rows at once and more on demand.
(function () {
  "use strict";
  const R = window.Ratings;
  const FIRST = 50;
  const MORE = 250;
  const NUMBERS = new Set(["rating", "integer", "decimal", "hundredths", "percent", "signed", "year"]);

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function body(columns, rows) {
    const fragment = document.createDocumentFragment();
    for (const row of rows) {
      const line = element("tr");
      columns.forEach(function (column, index) {
        const cell = element(index === 0 ? "th" : "td", NUMBERS.has(column.kind) ? "number" : "");
        if (index === 0) cell.scope = "row";
        const value = element("bdi", "", R.data.written(row[column.name], column.kind));
        if (value.textContent.length > 48) cell.classList.add("long");
        cell.append(value);
        line.append(cell);
      });
      fragment.append(line);
    }
    return fragment;
  }

  // onSort(order) is called with a column name, "-" before it for descending.
  function fill(container, figure, rows, order, onSort) {
    const columns = figure.columns.filter(function (column) { return !column.hidden; });
    const table = element("table");
    table.append(element("caption", "visually-hidden", figure.title));
    const head = element("tr");
    for (const column of columns) {
      const cell = element("th", NUMBERS.has(column.kind) ? "number" : "");
      cell.scope = "col";
      const current = order.replace(/^-/, "") === column.name;
      if (current) cell.setAttribute("aria-sort", order.startsWith("-") ? "descending" : "ascending");
      const button = element("button", "sort", column.label);
      button.type = "button";
      button.dataset.column = column.name;
      button.addEventListener("click", function () {
        const first = NUMBERS.has(column.kind) && column.name !== columns[0].name ? "-" : "";
        onSort(current ? (order.startsWith("-") ? column.name : "-" + column.name) : first + column.name);
      });
      cell.append(button);
      head.append(cell);
    }
    table.append(element("thead"), element("tbody"));
    table.tHead.append(head);
    table.tBodies[0].append(body(columns, rows.slice(0, FIRST)));
    const focused = container.contains(document.activeElement) ? document.activeElement.dataset.column : null;
    container.replaceChildren(table);
    if (focused) table.querySelector("button[data-column='" + focused + "']").focus();
    let shown = Math.min(FIRST, rows.length);
    if (shown === rows.length) return;
    const more = element("button", "more");
    more.type = "button";
    function label() {
      more.textContent = "Show more (" + shown.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " rows)";
    }
    label();
    more.addEventListener("click", function () {
      table.tBodies[0].append(body(columns, rows.slice(shown, shown + MORE)));
      shown = Math.min(shown + MORE, rows.length);
      if (shown === rows.length) more.remove();
      else label();
    });
    container.append(more);
  }

  R.table = { fill: fill };
})();
