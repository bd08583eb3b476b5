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
    const spec = coloured(figure.specs[variant], which);
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

  function render(spec, container) {
    return window.vegaEmbed(container, spec, {
      mode: "vega-lite", ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: false,
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

  // Labels beside the ends of lines make way for each other: those that would overlap stand as a block around their middle.
  const LINE = 14;
  function spread(svg) {
    const plot = svg.querySelector("g.root > g > path.background").getBBox().height;
    const columns = new Map();
    for (const text of svg.querySelectorAll("g.role-mark.mark-text text[text-anchor=start]")) {
      const place = /^translate\(([-\d.]+),([-\d.]+)\)$/.exec(text.getAttribute("transform") || "");
      if (!place || text.getAttribute("opacity") === "0") continue;
      const column = Math.round(Number(place[1]) / 40);
      if (!columns.has(column)) columns.set(column, []);
      columns.get(column).push({ text: text, x: place[1], y: Number(place[2]) });
    }
    for (const labels of columns.values()) {
      const blocks = [];
      for (const label of labels.sort((a, b) => a.y - b.y)) {
        let block = { labels: [label], middle: label.y };
        for (let above = blocks[blocks.length - 1]; above; above = blocks[blocks.length - 1]) {
          const room = ((above.labels.length + block.labels.length) * LINE) / 2;
          if (block.middle - above.middle >= room) break;
          blocks.pop();
          const all = above.labels.concat(block.labels);
          block = { labels: all, middle: all.reduce((sum, one) => sum + one.y, 0) / all.length };
          block.middle = Math.min(block.middle, plot + LINE / 2 - (all.length * LINE) / 2);
        }
        blocks.push(block);
      }
      for (const block of blocks) {
        if (block.labels.length === 1) continue;
        block.labels.forEach((label, index) => {
          const y = block.middle + (index - (block.labels.length - 1) / 2) * LINE;
          label.text.setAttribute("transform", "translate(" + label.x + "," + y + ")");
        });
      }
    }
  }

  // The container has the text that describes the chart, and a table follows; the drawing itself is not read out.
  function draw(figure, variant, datasets, container) {
    const size = { width: Math.floor(container.clientWidth), height: figure.height };
    const ground = document.createElement("div");
    ground.setAttribute("aria-hidden", "true");
    container.replaceChildren(ground);
    return render(specification(figure, variant, datasets, size, scheme()), ground).then(function (result) {
      watch(figure, result.view, container);
      spread(ground.querySelector("svg"));
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

  // A picture stands alone: title above, caption below it, a ground of its own and always the same width. Text of an SVG.
  function picture(figure, variant, datasets, caption) {
    const spec = specification(figure, variant, datasets, { width: 960, height: figure.height + 90 }, scheme());
    spec.title = { text: figure.title, subtitle: wrapped(caption, 140) };
    spec.padding = 24;
    const holder = document.createElement("div");
    holder.className = "visually-hidden";
    document.body.append(holder);
    return render(spec, holder).then(function (result) {
      const svg = holder.querySelector("svg");
      spread(svg);
      const text = new XMLSerializer().serializeToString(svg);
      result.finalize();
      holder.remove();
      return text;
    });
  }

  function rastered(svgText, scale) {
    return new Promise(function (resolve, reject) {
      const url = URL.createObjectURL(new Blob([svgText], { type: "image/svg+xml" }));
      const image = new Image();
      image.addEventListener("error", function () { reject(new Error("the picture cannot be drawn")); });
      image.addEventListener("load", function () {
        const canvas = document.createElement("canvas");
        canvas.width = image.width * scale;
        canvas.height = image.height * scale;
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        URL.revokeObjectURL(url);
        canvas.toBlob(resolve, "image/png");
      });
      image.src = url;
    });
  }

  document.addEventListener("DOMContentLoaded", function () { document.body.append(tip); });
  window.addEventListener("scroll", function () { tip.hidden = true; }, { passive: true });
  R.chart = { draw: draw, picture: picture, rastered: rastered, scheme: scheme, onScheme: function (f) { dark.addEventListener("change", f); } };
})();
