// Drawing one specification with one set of rows, in the colours of the theme; tooltips; pictures for download.
(function () {
  "use strict";
  const R = window.Ratings;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function scheme() {
    return document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  }

  // Colours go in before the rows do, so that a name such as "@ink" stays a name.
  function coloured(value, which) {
    const tokens = window.RatingsTheme.tokens[which];
    return JSON.parse(JSON.stringify(value).replace(/"@([a-z]+\d?)"/g, function (whole, token) {
      return token in tokens ? JSON.stringify(tokens[token]) : whole;
    }));
  }

  function specification(figure, variant, datasets, size, which) {
    const spec = coloured(figure.specs[variant] || Object.values(figure.specs)[0], which);
    // A layer without rows would only make Vega complain about its extent.
    if (spec.layer) {
      spec.layer = spec.layer.filter(function (layer) {
        const rows = layer.data && datasets[layer.data.name];
        return !rows || rows.length > 0;
      });
    }
    return Object.assign(spec, {
      config: coloured(window.RatingsTheme.config, which),
      datasets: datasets,
      width: size.width,
      height: size.height,
      autosize: { type: "fit", contains: "padding" },
      padding: { left: 2, top: 6, right: 8, bottom: 4 },
    });
  }

  function render(spec, container, renderer) {
    return window.vegaEmbed(container, spec, {
      mode: "vega-lite", ast: true, actions: false, renderer: renderer || "svg", defaultStyle: false, tooltip: false,
    });
  }

  // Tooltips show the exact values of the row under the pointer, as text.
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;

  function lines(figure, datum) {
    if ("event_label" in datum) {
      return [["", datum.event_label], ["From", R.data.month(datum.event_date)], ["", datum.description]];
    }
    return figure.tooltip.filter(function (name) { return datum[name] !== null && datum[name] !== undefined; })
      .map(function (name) {
        const column = figure.columns.find(function (c) { return c.name === name; });
        return [column.label, R.data.written(datum[name], column.kind)];
      });
  }

  function show(figure, event, item) {
    let datum = item && item.datum;
    if (datum && datum.datum) datum = datum.datum;
    const content = datum ? lines(figure, datum) : [];
    tip.hidden = content.length === 0;
    if (tip.hidden) return;
    tip.replaceChildren.apply(tip, content.map(function (pair, index) {
      const line = document.createElement("div");
      if (index === 0) line.className = "tip-head";
      if (pair[0] && index > 0) {
        const label = document.createElement("span");
        label.textContent = pair[0];
        line.append(label);
      }
      const value = document.createElement("bdi");
      value.textContent = pair[1];
      line.append(value);
      return line;
    }));
    const box = tip.getBoundingClientRect();
    const x = event.clientX + 16 + box.width > innerWidth ? event.clientX - box.width - 16 : event.clientX + 16;
    tip.style.left = Math.max(8, x) + "px";
    tip.style.top = Math.max(8, Math.min(event.clientY + 14, innerHeight - box.height - 8)) + "px";
  }

  function watch(figure, view, container) {
    view.addEventListener("pointermove", function (event, item) { show(figure, event, item); });
    view.addEventListener("pointerdown", function (event, item) { show(figure, event, item); });
    container.addEventListener("pointerleave", function () { tip.hidden = true; });
  }

  // The container has the text that describes the chart, and a table follows; the drawing itself is not read out.
  function draw(figure, variant, datasets, container) {
    const size = { width: Math.floor(container.clientWidth), height: figure.height };
    const ground = document.createElement("div");
    ground.setAttribute("aria-hidden", "true");
    container.replaceChildren(ground);
    return render(specification(figure, variant, datasets, size, scheme()), ground).then(function (result) {
      watch(figure, result.view, container);
      return result;
    });
  }

  function wrapped(text, length) {
    return text.split(" ").reduce(function (done, word) {
      const last = done.length - 1;
      if (last >= 0 && done[last].length + word.length < length) done[last] += " " + word;
      else done.push(word);
      return done;
    }, []);
  }

  // A picture stands alone: title above, caption below, a ground of its own and always the same width.
  function picture(figure, variant, datasets, caption, renderer) {
    const spec = specification(figure, variant, datasets, { width: 960, height: figure.height + 90 }, scheme());
    spec.title = { text: figure.title, subtitle: wrapped(caption, 140) };
    spec.padding = 24;
    const holder = document.createElement("div");
    return render(spec, holder, renderer).then(function (result) { return result.view; });
  }

  document.addEventListener("DOMContentLoaded", function () { document.body.append(tip); });
  window.addEventListener("scroll", function () { tip.hidden = true; }, { passive: true });
  R.chart = { draw: draw, picture: picture, scheme: scheme, onScheme: function (f) { dark.addEventListener("change", f); } };
})();
