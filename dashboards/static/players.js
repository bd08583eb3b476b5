// The player page: search in the index by beginnings of words, choosing up to five, their histories from shards.
(function () {
  "use strict";
  const R = window.Ratings;
  const MOST = 5;
  const SHOWN = 12;
  const FOLDER = "data/players/";
  let manifest = null;
  let ask = 0;

  function chosen() {
    return R.state.get("players").split(",").filter((text) => /^\d+$/.test(text)).map(Number).slice(0, MOST);
  }

  function choose(numbers) {
    R.state.set("players", numbers.join(","));
  }

  // The file that holds everybody with these words, else the strongest of too many (the keys: dashboards/players_index.py).
  function fileFor(words) {
    const index = manifest.index;
    const long = words.filter((word) => word.length > 1).sort((a, b) => b.length - a.length);
    for (const word of long) {
      for (let length = word.length; length >= 0; length -= 1) {
        if (word.slice(0, length) in index) return { file: index[word.slice(0, length)], all: true };
      }
    }
    for (const word of long) {
      for (const other of long) {
        const key = [2, 1].map((letters) => word + " " + other.slice(0, letters)).find((one) => one in index);
        if (other !== word && key) return { file: index[key], all: true };
      }
    }
    // Of one word the beginning counts more than the exact word, of several the exact word narrows more.
    const endings = words.length > 1 ? [" ", "*"] : ["*", " "];
    for (const ending of endings) {
      for (const word of long) {
        if (word + ending in index) return { file: index[word + ending], all: ending === " " };
      }
    }
    return null;
  }

  async function find(query) {
    const words = R.data.fold(query).split(" ").filter(Boolean);
    if (!words.some((word) => word.length > 1)) return { rows: [], note: "" };
    const at = fileFor(words);
    const table = at ? await R.data.load(FOLDER + at.file) : [];
    const rows = table.filter((row) => words.every((word) => (" " + row[7]).includes(" " + word)));
    const note = at && !at.all ? "Many found, the strongest shown; go on typing."
      : rows.length > SHOWN ? rows.length + " found, the strongest " + SHOWN + " shown; go on typing."
      : rows.length ? rows.length + " found." : "Nobody found.";
    return { rows: rows, note: note };
  }

  function item(text, detail, label, act) {
    const line = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    const name = document.createElement("bdi");
    name.textContent = text;
    const more = document.createElement("span");
    more.textContent = detail;
    button.append(name, more);
    button.setAttribute("aria-label", label + " " + text + " " + detail);
    button.addEventListener("click", act);
    line.append(button);
    return line;
  }

  async function search(query) {
    const mine = (ask += 1);
    const found = await find(query);
    if (mine !== ask) return;
    document.getElementById("player-status").textContent = found.note;
    document.getElementById("player-results").replaceChildren(...found.rows.slice(0, SHOWN).map((row) => {
      const detail = [row[2], row[3] ? "born " + row[3] : "", row[4] ? "peak " + row[4] : "", row[5] + "\u2013" + row[6]]
        .filter(Boolean).join(", ");
      return item(row[1], detail, "Add", () => {
        if (!chosen().includes(row[0])) choose(chosen().concat(row[0]).slice(-MOST));
        const input = document.getElementById("player-search");
        input.value = "";
        search("");
        input.focus();
      });
    }));
  }

  // What the file of a player holds, of files by their first player; empty where he would come before the first.
  async function shardOf(shards, number, empty) {
    const at = shards.filter((shard) => shard[0] <= number).pop();
    return at ? R.data.load(FOLDER + at[1]) : empty;
  }

  // Lists of years that are over, and those since, have files of their own (dashboards/players_histories.py).
  async function history(number) {
    const [closed, [open, players]] = await Promise.all([
      shardOf(manifest.closed, number, {}), shardOf(manifest.open, number, [{}, {}]),
    ]);
    return number in players ? { number: number, player: players[number], parts: [closed[number], open[number]] } : null;
  }

  function expand(found, series) {
    const [name, federation, born, fideId] = found.player;
    const parts = found.parts.filter(Boolean);
    const rows = [];
    for (const type of Object.keys(manifest.lists)) {
      const dates = manifest.lists[type];
      const runs = parts.filter((part) => type in part).flatMap((part) => part[type].split(",").map(Number));
      for (let r = 0; r < runs.length; r += 3) {
        for (let i = runs[r]; i < runs[r] + runs[r + 1]; i += 1) {
          const date = dates[i];
          const year = Number(date.slice(0, 4)) + (Number(date.slice(5, 7)) - 1) / 12;
          rows.push({
            player_name: name, list_date: date, rating: runs[r + 2], federation: federation,
            age: born === null ? null : year - born, birth_year: born, rating_type: type,
            player_id: found.number, fide_id: fideId, series: String(series + 1),
          });
        }
      }
    }
    return rows;
  }

  // Rows of the chosen players; null until somebody is chosen. The SQL of the figure follows the choice.
  async function rows(settings) {
    const numbers = chosen();
    const found = (await Promise.all(numbers.map(history))).filter(Boolean);
    const list = document.getElementById("player-chosen");
    list.replaceChildren(...found.map((one, series) => {
      const line = item(one.player[0], one.player[1] || "", "Remove", () => choose(chosen().filter((n) => n !== one.number)));
      line.className = "series-" + (series + 1);
      return line;
    }));
    if (!found.length) {
      settings.sql = settings.sqlAtFirst;
      return null;
    }
    settings.sql = manifest.sql.replace("{players}", found.map((one) => one.number).join(", "));
    return found.flatMap(expand);
  }

  R.players = {
    rows: function (settings) {
      if (!("sqlAtFirst" in settings)) settings.sqlAtFirst = settings.sql;
      return manifest ? rows(settings) : Promise.resolve(null);
    },
    start: function () {
      manifest = R.json("player-manifest");
      R.state.declare("players", "");
      const input = document.getElementById("player-search");
      if (!input) return;
      let timer = 0;
      input.addEventListener("input", function () {
        clearTimeout(timer);
        timer = setTimeout(function () { search(input.value); }, 120);
      });
    },
  };
})();
