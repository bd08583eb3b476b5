// One figure: its rows, narrowed by the switches of page and figure; its chart, caption, table and downloads.
(function () {
  "use strict";
  const R = window.Ratings;

  function json(id) {
    const found = document.getElementById(id);
    return found ? JSON.parse(found.textContent) : null;
  }

  class Figure {
    constructor(element, pageSwitches, events) {
      this.element = element;
      this.settings = json("figure-" + element.dataset.figure);
      this.switches = pageSwitches.concat(this.settings.switches);
      this.events = events;
      this.all = null;
      this.drawing = Promise.resolve();
      const inline = json("rows-" + element.dataset.figure);
      if (inline) this.all = R.data.decode(inline);
      R.state.declare(this.settings.name + ".sort", this.settings.sort);
      for (const button of element.querySelectorAll("[data-download]")) {
        button.addEventListener("click", () => R.download.take(button.dataset.download, this.settings, this.view));
      }
      const details = element.querySelector("details.rows");
      if (details) details.addEventListener("toggle", () => { if (details.open) this.fillTable(); });
    }

    concerns(names) {
      if (names === null) return true;
      const events = ["rules", "anomalies"];
      return names.some((name) => name === this.settings.name + ".sort" || name === this.settings.source ||
        this.switches.some((control) => control.name === name) || (this.settings.timeline && events.includes(name)));
    }

    rowsHeld() {
      if (this.settings.source === "players") {
        return R.players.rows(this.settings).then((rows) => {
          this.element.querySelector(".sql code").textContent = this.settings.sql;
          return rows || this.all;
        });
      }
      const shards = this.settings.shards;
      if (!shards) return Promise.resolve(this.all);
      const control = this.switches.find((one) => one.column === this.settings.shardBy);
      const asked = R.state.get(control.name);
      const paths = (control.kind === "several" ? asked.split(",") : [asked]).map((value) => shards[value]).filter(Boolean);
      const load = (path) => R.data.load(path).then((table) => table.rows || (table.rows = R.data.decode(table)));
      return Promise.all(paths.map(load)).then((tables) => (tables.length === 1 ? tables[0] : tables.flat()));
    }

    async update() {
      let rows = await this.rowsHeld();
      const dated = this.switches.filter((control) => control.kind === "list_date");
      rows = R.data.narrow(rows, this.switches.filter((control) => control.kind !== "list_date"),
        (control) => R.state.get(control.name));
      for (const control of dated) {
        const dates = [...new Set(rows.map((row) => row[control.column]))].sort();
        if (!dates.length) continue;
        const date = R.controls.listDates(document.querySelector("[data-list-date='" + control.name + "']"), control.name, dates);
        rows = rows.filter((row) => row[control.column] === date);
      }
      const chooser = this.switches.find((control) => control.kind === "variant");
      const asked = chooser ? R.state.get(chooser.name) : "";
      const variant = asked in this.settings.specs ? asked : Object.keys(this.settings.specs)[0] || "";
      const required = this.settings.required[variant];
      if (required) rows = rows.filter((row) => row[required] !== null);
      this.view = {
        rows: R.data.sorted(rows, R.state.get(this.settings.name + ".sort")),
        variant: variant,
        datasets: { rows: rows },
        caption: this.caption(rows),
      };
      Object.assign(this.view.datasets, this.eventsWithin(rows));
      this.element.querySelector(".nothing").hidden = rows.length > 0;
      this.fillTable();
      await this.redraw();
    }

    // One drawing at a time, in order; the last one shows the last view.
    redraw() {
      this.drawing = this.drawing.then(() => this.draw());
      return this.drawing;
    }

    // Rule changes and anomalies of the rating types shown, within the dates shown.
    eventsWithin(rows) {
      const spec = this.settings.specs[this.view.variant] || {};
      const drawn = (spec.layer || []).some((layer) => layer.data && layer.data.name === "rules");
      if (!drawn || !rows.length) {
        this.listEvents([]);
        return { rules: [], anomalies: [] };
      }
      const dates = rows.map((row) => row.list_date).sort();
      const types = new Set(rows.map((row) => row.rating_type));
      const within = (event) => event.event_date >= dates[0] && event.event_date <= dates[dates.length - 1] &&
        (event.rating_type === "all" || types.has(event.rating_type));
      const on = (name) => R.state.get(name) === "on" ? this.events[name].filter(within) : [];
      const found = { rules: on("rules"), anomalies: on("anomalies") };
      this.listEvents(found.rules.concat(found.anomalies));
      return found;
    }

    listEvents(events) {
      const panel = this.element.querySelector("details.events");
      if (!panel) return;
      panel.hidden = events.length === 0;
      panel.querySelector("summary span").textContent = "(" + events.length + ")";
      panel.querySelector("dl").replaceChildren(...events
        .sort((a, b) => (a.event_date < b.event_date ? -1 : a.event_date > b.event_date ? 1 : 0))
        .flatMap((event) => {
          const term = document.createElement("dt");
          term.textContent = R.data.month(event.event_date) + ": " + event.event_label;
          const meaning = document.createElement("dd");
          meaning.textContent = event.description;
          return [term, meaning];
        }));
    }

    caption(rows) {
      const dates = rows.map((row) => row.list_date).filter(Boolean).sort();
      const first = dates.length ? R.data.month(dates[0]) : "";
      const last = dates.length ? R.data.month(dates[dates.length - 1]) : "";
      const lists = rows.length && rows[0].as_of ? "As of the list of " + R.data.month(rows[0].as_of) + "." : !dates.length ? "" : first === last ? "List of " + first + "." : "Lists of " + first + " to " + last + ".";
      this.element.querySelector("[data-as-of]").textContent = lists;
      return [this.settings.caption[0], lists].concat(this.settings.caption.slice(1)).filter(Boolean).join(" ");
    }

    async draw() {
      const container = this.element.querySelector(".chart");
      if (!container || !this.view) return;
      if (this.drawn) this.drawn.finalize();
      this.drawn = null;
      container.hidden = this.view.rows.length === 0;
      if (container.hidden) return;
      container.style.minHeight = container.clientHeight + "px";
      this.drawn = await R.chart.draw(this.settings, this.view.variant, this.view.datasets, container);
      container.style.minHeight = "";
    }

    fillTable() {
      const details = this.element.querySelector("details.rows");
      if (!details || !this.view) return;
      details.querySelector("summary span").textContent = "(" + this.view.rows.length.toLocaleString("en") + " rows)";
      if (!details.open) return;
      R.table.fill(details.querySelector(".scroll"), this.settings, this.view.rows, R.state.get(this.settings.name + ".sort"),
        (order) => R.state.set(this.settings.name + ".sort", order));
    }
  }

  R.Figure = Figure;
  R.json = json;
})();
