// Taking the view away: CSV of the rows shown, the picture as SVG or PNG, the SQL behind it.
(function () {
  "use strict";
  const R = window.Ratings;

  // A text that a spreadsheet would run as a formula gets an apostrophe in front.
  function field(value) {
    if (value === null || value === undefined) return "";
    let text = String(value);
    if (typeof value === "string" && /^[\s]*[=+\-@]|^[\t\r]/.test(text)) text = "'" + text;
    return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  }

  function csv(figure, rows) {
    const names = figure.columns.map(function (column) { return column.name; });
    const lines = rows.map(function (row) { return names.map(function (name) { return field(row[name]); }).join(","); });
    return [names.join(",")].concat(lines).join("\r\n") + "\r\n";
  }

  function save(content, type, name) {
    const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: type }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(function () { URL.revokeObjectURL(url); }, 10000);
  }

  function take(kind, figure, view) {
    const stem = document.body.dataset.page + "-" + figure.name;
    if (kind === "csv") return save(csv(figure, view.rows), "text/csv;charset=utf-8", stem + ".csv");
    if (kind === "sql") return save(figure.sql + "\n", "application/sql", stem + ".sql");
    return R.chart.picture(figure, view.variant, view.datasets, view.caption).then(function (text) {
      if (kind === "svg") return save(text, "image/svg+xml", stem + ".svg");
      return R.chart.rastered(text, 2).then(function (blob) { save(blob, "image/png", stem + ".png"); });
    });
  }

  R.download = { csv: csv, take: take };
})();
