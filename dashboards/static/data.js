// Rows of figures: decoding the compact form, loading shards, narrowing by switches, sorting, writing values.
(function () {
  "use strict";
  const MONTHS = "January February March April May June July August September October November December".split(" ");
  const waiting = new Map();

  function decode(table) {
    const names = Object.keys(table.c);
    const columns = names.map(function (name) {
      const column = table.c[name];
      if (Array.isArray(column)) return column;
      return column.i.map(function (code) { return code < 0 ? null : column.u[code]; });
    });
    const rows = new Array(table.n);
    for (let r = 0; r < table.n; r += 1) {
      const row = {};
      for (let c = 0; c < names.length; c += 1) row[names[c]] = columns[c][r];
      rows[r] = row;
    }
    return rows;
  }

  // A shard is a script that calls receive(path, content): that works from file:// as well, where fetch does not.
  function load(path) {
    if (!waiting.has(path)) {
      waiting.set(path, new Promise(function (resolve, reject) {
        const script = document.createElement("script");
        script.dataset.path = path;
        script.addEventListener("error", function () { reject(new Error("cannot load " + path)); });
        load.resolvers.set(path, resolve);
        script.src = path;
        document.head.append(script);
      }));
    }
    return waiting.get(path);
  }
  load.resolvers = new Map();

  function receive(content) {
    const path = document.currentScript.dataset.path;
    load.resolvers.get(path)(content);
  }

  // Letters without marks and case, so that "Botvinnik" is found by any spelling a keyboard can write.
  const LETTERS = { "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i" };
  function fold(text) {
    return String(text).toLowerCase().normalize("NFKD").replace(/\p{M}+/gu, "")
      .replace(/[ßæœøłđðþı]/g, function (letter) { return LETTERS[letter]; })
      .replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  }

  function matches(row, columns, query) {
    const text = " " + fold(columns.map(function (name) { return row[name] === null ? "" : row[name]; }).join(" "));
    return fold(query).split(" ").every(function (word) { return text.includes(" " + word); });
  }

  function narrow(rows, switches, valueOf) {
    return switches.reduce(function (kept, control) {
      const value = valueOf(control);
      if (value === "" || control.kind === "variant") return kept;
      if (control.kind === "search") {
        return kept.filter(function (row) { return matches(row, control.columns, value); });
      }
      if (kept.length && !(control.column in kept[0])) return kept;
      if (control.kind === "several") {
        const wanted = new Set(value.split(","));
        return kept.filter(function (row) { return wanted.has(String(row[control.column])); });
      }
      if (control.atLeast) {
        return kept.filter(function (row) { return row[control.column] !== null && row[control.column] >= Number(value); });
      }
      return kept.filter(function (row) {
        const found = String(row[control.column]);
        return found === value || (control.also !== "" && found === control.also);
      });
    }, rows);
  }

  function sorted(rows, order) {
    if (!order) return rows;
    const down = order.startsWith("-");
    const name = down ? order.slice(1) : order;
    const sign = down ? -1 : 1;
    const collator = new Intl.Collator("en");
    return rows.slice().sort(function (a, b) {
      const x = a[name], y = b[name];
      if (x === null || x === undefined) return y === null || y === undefined ? 0 : 1;
      if (y === null || y === undefined) return -1;
      return sign * (typeof x === "string" ? collator.compare(x, y) : x - y);
    });
  }

  function month(iso) {
    const parts = String(iso).split("-");
    return MONTHS[Number(parts[1]) - 1] + " " + parts[0];
  }

  const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const decimal = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false });
  const hundredths = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });
  const percent = new Intl.NumberFormat("en", { style: "percent", maximumSignificantDigits: 3 });
  const WRITERS = {
    text: String,
    rating: String,
    year: String,
    integer: function (value) { return number.format(value); },
    decimal: function (value) { return decimal.format(value); },
    hundredths: function (value) { return hundredths.format(value); },
    percent: function (value) { return percent.format(value); },
    signed: function (value) { return value > 0 ? "+" + value : value < 0 ? "\u2212" + -value : "0"; },
    month: month,
    flag: function (value) { return value ? "yes" : "no"; },
  };
  function written(value, kind) {
    return value === null || value === undefined ? "" : WRITERS[kind](value);
  }

  Object.assign(window.Ratings, {
    data: { decode: decode, load: load, fold: fold, narrow: narrow, sorted: sorted, month: month, written: written },
    receive: receive,
  });
})();
