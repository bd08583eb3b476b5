// Switches: reading and writing their values. Choices, menus and searches stand in the page; dates come from the rows.
// Several values of one switch stand in the address separated by commas.
(function () {
  "use strict";
  const R = window.Ratings;

  const MOST = 5;

  // Up to five values side by side: typed or picked from the list of options, taken away by their own buttons.
  function bindSeveral(root) {
    const name = root.dataset.several;
    const input = root.querySelector("input");
    const options = [...root.querySelectorAll("option")].map(function (option) { return option.value; });
    function add() {
      const typed = R.data.fold(input.value);
      const found = options.find(function (option) { return R.data.fold(option) === typed; });
      if (!found) return;
      input.value = "";
      const shown = R.state.get(name).split(",").filter(Boolean);
      if (!shown.includes(found)) R.state.set(name, shown.concat(found).slice(-MOST).join(","));
    }
    input.addEventListener("change", add);
    input.addEventListener("input", function (event) {
      if (!event.inputType || event.inputType === "insertReplacementText") add();
    });
  }

  function reflectSeveral(root) {
    const name = root.dataset.several;
    const shown = R.state.get(name).split(",").filter(Boolean);
    root.querySelector("ul").replaceChildren(...shown.map(function (value) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = value;
      button.setAttribute("aria-label", "Remove " + value);
      button.disabled = shown.length === 1;
      button.addEventListener("click", function () {
        R.state.set(name, shown.filter(function (one) { return one !== value; }).join(","));
        root.querySelector("input").focus();
      });
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
  }

  function bind(root) {
    // The Enter key in a field would send the form somewhere; there is nowhere to send it.
    for (const form of root.querySelectorAll("form")) form.addEventListener("submit", (event) => event.preventDefault());
    for (const several of root.querySelectorAll("[data-several]")) bindSeveral(several);
    for (const input of root.querySelectorAll("[data-switch]")) {
      const name = input.dataset.switch;
      if (input.type === "radio") {
        input.addEventListener("change", function () { if (input.checked) R.state.set(name, input.value); });
      } else if (input.type === "checkbox") {
        input.addEventListener("change", function () { R.state.set(name, input.checked ? "on" : "off"); });
      } else if (input.type === "search") {
        let timer = 0;
        input.addEventListener("input", function () {
          clearTimeout(timer);
          timer = setTimeout(function () { R.state.set(name, input.value.trim()); }, 150);
        });
      } else {
        input.addEventListener("change", function () { R.state.set(name, input.value); });
      }
    }
  }

  function reflect(root) {
    for (const several of root.querySelectorAll("[data-several]")) reflectSeveral(several);
    for (const input of root.querySelectorAll("[data-switch]")) {
      const value = R.state.get(input.dataset.switch);
      if (input.type === "radio") input.checked = input.value === value;
      else if (input.type === "checkbox") input.checked = value === "on";
      else if (document.activeElement !== input) input.value = value;
    }
  }

  // The list that is valid on a day: the last one that came out on that day or before.
  function validOn(dates, day) {
    let found = dates[0];
    for (const date of dates) if (date <= day) found = date;
    return found;
  }

  // A slider over the dates that are held, with a step back, a step on and any day by the calendar.
  function listDates(root, name, dates) {
    const slider = root.querySelector("input[type=range]");
    const day = root.querySelector("input[type=date]");
    const shown = root.querySelector("output");
    const asked = R.state.get(name) || dates[dates.length - 1];
    const date = validOn(dates, asked);
    const position = dates.indexOf(date);
    slider.max = String(dates.length - 1);
    slider.value = String(position);
    slider.setAttribute("aria-valuetext", R.data.month(date));
    day.min = dates[0];
    if (document.activeElement !== day) day.value = asked;
    shown.textContent = R.data.month(date);
    slider.oninput = function () { R.state.set(name, dates[Number(slider.value)]); };
    day.onchange = function () { if (day.value) R.state.set(name, day.value); };
    const back = root.querySelector("[data-step='-1']");
    const on = root.querySelector("[data-step='1']");
    back.disabled = position === 0;
    on.disabled = position === dates.length - 1;
    back.onclick = function () { R.state.set(name, dates[position - 1]); };
    on.onclick = function () { R.state.set(name, dates[position + 1]); };
    return date;
  }

  R.controls = { bind: bind, reflect: reflect, listDates: listDates };
})();
