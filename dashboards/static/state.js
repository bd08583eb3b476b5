// The state of the view: a map of names to values that lives in the address after "#", so that a view can be sent.
// No drawing here.
(function () {
  "use strict";
  const listeners = [];
  const defaults = new Map();
  let values = read();

  function read() {
    const found = new Map();
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) found.set(name, value);
    return found;
  }

  function write() {
    const parameters = new URLSearchParams();
    for (const name of [...values.keys()].sort()) {
      if (values.get(name) !== defaults.get(name)) parameters.set(name, values.get(name));
    }
    const text = parameters.toString();
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  }

  function announce(names) {
    for (const listener of listeners) listener(names);
  }

  window.addEventListener("hashchange", function () {
    if (document.getElementById(location.hash.slice(1))) return;
    values = read();
    announce(null);
  });

  window.Ratings = {
    state: {
      declare: function (name, value) { defaults.set(name, value); },
      get: function (name) {
        return values.has(name) ? values.get(name) : defaults.has(name) ? defaults.get(name) : "";
      },
      set: function (name, value) {
        if (this.get(name) === value) return;
        values.set(name, value);
        write();
        announce([name]);
      },
      onChange: function (listener) { listeners.push(listener); },
    },
  };
})();
