// The converter of the offset page: published formulas exactly as published, estimates only between the ratings they are
// given for. Rating, direction and day are kept in the address.
(function () {
  "use strict";
  const R = window.Ratings;
  let tables = null;

  function held(row, day) {
    return (!day || ((!row.valid_from || row.valid_from <= day) && (!row.valid_until || day < row.valid_until)));
  }

  function period(row) {
    const from = row.valid_from ? R.data.month(row.valid_from) : "";
    const until = row.valid_until ? R.data.month(row.valid_until) : "";
    return from && until ? from + " to " + until : from ? "since " + from : until ? "until " + until : "undated";
  }

  // Each formula once: the piece in which the rating lies.
  function formulas(rating, from, day) {
    return tables.pieces.filter(function (piece) {
      return piece.from_system === from && held(piece, day) && rating >= (piece.from_min === null ? 0 : piece.from_min) &&
        rating <= (piece.from_max === null ? 9999 : piece.from_max);
    }).map(function (piece) {
      return { by: piece.issuer + ": " + piece.formula, result: Math.round(piece.intercept + piece.slope * rating),
        answers: piece.scope, held: period(piece), open: !piece.valid_until, first: piece.issuer === "US Chess" };
    }).sort(function (a, b) { return b.open - a.open || b.first - a.first; });
  }

  function estimates(rating, from) {
    const series = new Map();
    for (const row of tables.estimates) {
      if (row.from_system !== from) continue;
      const key = [row.conversion, row.population, row.period].join("|");
      if (!series.has(key)) series.set(key, []);
      series.get(key).push(row);
    }
    const found = [];
    for (const rows of series.values()) {
      const above = rows.find(function (row) { return row.rating >= rating; });
      const below = rows.filter(function (row) { return row.rating <= rating; }).pop();
      if (!above || !below) continue;
      const share = above === below ? 0 : (rating - below.rating) / (above.rating - below.rating);
      const between = function (name) { return Math.round(below[name] + share * (above[name] - below[name])); };
      found.push({ by: "Estimate here, " + above.conversion.replaceAll("_", " ") + ", " + above.population,
        result: between("result") + " (" + between("ci_low") + " to " + between("ci_high") + ")",
        answers: above.question, held: above.period });
    }
    return found;
  }

  function show() {
    const rating = Number(R.state.get("convert_rating"));
    const from = R.state.get("convert") === "USCF" ? "USCF" : "FIDE";
    const day = R.state.get("convert_on");
    const found = rating ? estimates(rating, from).concat(formulas(rating, from, day)) : [];
    document.getElementById("convert-results").replaceChildren(...found.map(function (row) {
      const line = document.createElement("tr");
      [row.by, row.result, row.answers, row.held].forEach(function (text, index) {
        const cell = document.createElement(index === 0 ? "th" : "td");
        if (index === 0) cell.scope = "row";
        if (index === 1) cell.className = "number";
        cell.textContent = text;
        line.append(cell);
      });
      return line;
    }));
    document.getElementById("convert-status").textContent = !found.length ? "No formula known for this rating and day."
      : tables.estimates.length ? "Formulas answer what their authors meant them for; estimates carry their interval."
      : "Published formulas only: no US Chess ratings are held, so nothing is estimated.";
    const number = document.getElementById("convert-rating");
    if (document.activeElement !== number) number.value = R.state.get("convert_rating");
    const date = document.getElementById("convert-on");
    if (document.activeElement !== date) date.value = day;
  }

  R.converter = {
    start: function () {
      tables = R.json("conversions");
      if (!tables) return;
      R.state.declare("convert", "FIDE");
      R.state.declare("convert_rating", "1850");
      R.state.declare("convert_on", "");
      const number = document.getElementById("convert-rating");
      number.addEventListener("input", function () {
        if (number.checkValidity()) R.state.set("convert_rating", number.value);
      });
      const date = document.getElementById("convert-on");
      date.addEventListener("change", function () { R.state.set("convert_on", date.value); });
      R.state.onChange(show);
      show();
    },
  };
})();
