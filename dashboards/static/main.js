// Start of a page: theme, menu, switches, figures. `data-ready` on the root element says that everything is drawn.
(function () {
  "use strict";
  const R = window.Ratings;
  const root = document.documentElement;

  function kept() {
    try { return localStorage.getItem("theme"); } catch (error) { return null; }
  }
  function keep(value) {
    try { localStorage.setItem("theme", value); } catch (error) { /* private window: the choice lasts for this page */ }
  }
  if (kept()) root.dataset.theme = kept();

  async function start() {
    const page = R.json("page-settings");
    const events = R.json("page-events") || { rules: [], anomalies: [] };
    const figures = [];
    let turn = 0;

    for (const control of page.switches) R.state.declare(control.name, control.value);
    R.state.declare("rules", "on");
    R.state.declare("anomalies", "on");
    for (const element of document.querySelectorAll("[data-figure]")) {
      const figure = new R.Figure(element, page.switches, events);
      for (const control of figure.settings.switches) R.state.declare(control.name, control.value);
      figures.push(figure);
    }

    async function update(names) {
      const mine = (turn += 1);
      delete root.dataset.ready;
      R.controls.reflect(document);
      await Promise.all(figures.filter((figure) => figure.concerns(names)).map((figure) => figure.update()));
      if (mine === turn) root.dataset.ready = "true";
    }

    async function redraw() {
      delete root.dataset.ready;
      await Promise.all(figures.map((figure) => figure.redraw()));
      root.dataset.ready = "true";
    }

    const button = document.querySelector("[data-theme-switch]");
    function nameTheme() {
      button.textContent = R.chart.scheme() === "dark" ? "Light" : "Dark";
      button.setAttribute("aria-label", "Switch to " + button.textContent.toLowerCase() + " colours");
    }
    button.addEventListener("click", function () {
      root.dataset.theme = R.chart.scheme() === "dark" ? "light" : "dark";
      keep(root.dataset.theme);
      nameTheme();
      redraw();
    });
    R.chart.onScheme(function () { nameTheme(); redraw(); });
    nameTheme();

    let width = innerWidth;
    let timer = 0;
    window.addEventListener("resize", function () {
      if (innerWidth === width) return;
      width = innerWidth;
      clearTimeout(timer);
      timer = setTimeout(redraw, 120);
    });

    R.controls.bind(document);
    R.state.onChange(update);
    R.players.start();
    R.converter.start();
    await update(null);
  }

  document.addEventListener("DOMContentLoaded", start);
})();
