"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const numbers = (text) => (text || "").split(" ").filter(Boolean);
  root.classList.add("script");

  // Theme: the system's, until the reader says otherwise. A page that is opened
  // from disk may have nowhere to remember that.
  const memory = {
    get: () => { try { return localStorage.getItem("dynmodel-theme"); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem("dynmodel-theme", theme); } catch { /* not remembered */ } },
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const showTheme = () => {
    const theme = memory.get() || (dark.matches ? "dark" : "light");
    root.dataset.theme = theme;
    button.setAttribute("aria-pressed", String(theme === "dark"));
  };
  let said = null;
  if (!memory.get()) dark.addEventListener("change", () => { if (!said) showTheme(); });
  button.addEventListener("click", () => {
    said = root.dataset.theme === "dark" ? "light" : "dark";
    memory.set(said);
    root.dataset.theme = said;
    button.setAttribute("aria-pressed", String(said === "dark"));
  });
  showTheme();

  // A group of which one member is chosen and has the focus: arrow keys go on to
  // the next one that is shown.
  const roving = (members, keys, choose) => {
    members.forEach((member) => {
      member.addEventListener("click", () => { choose(member); member.focus(); });
      member.addEventListener("keydown", (event) => {
        const shown = members.filter((m) => m.offsetParent);
        const at = shown.indexOf(member);
        const next = { [keys[0]]: at - 1, [keys[1]]: at + 1, Home: 0, End: shown.length - 1, Enter: at, " ": at }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        const target = shown[Math.max(0, Math.min(shown.length - 1, next))];
        choose(target);
        target.focus();
      });
    });
  };
  const mark = (members, chosen) => members.forEach((member) => {
    member.setAttribute("aria-selected", String(member === chosen));
    member.tabIndex = member === chosen ? 0 : -1;
  });

  // The table and the indexes.
  const tabs = all('[role="tab"]');
  const views = all(".view");
  const showView = (name) => {
    mark(tabs, tabs.find((tab) => tab.dataset.view === name));
    views.forEach((view) => view.classList.toggle("chosen", view.dataset.view === name));
  };
  roving(tabs, ["ArrowLeft", "ArrowRight"], (tab) => showView(tab.dataset.view));
  showView("table");

  // The access patterns: what the chosen one does is marked in its view, in words
  // and in colour. What it writes, or reads by what it found, is in the table.
  const choices = all("#choices [role=option]");
  const details = all(".detail");
  const marks = [["read", "read, dropped"], ["returned", "returned"], ["written", "written"]];
  const rows = (view) => all("tr[data-item]", views.find((v) => v.dataset.view === view));
  const clear = () => {
    all("tr[data-item]").forEach((row) => {
      row.classList.remove("read", "returned", "written");
      row.querySelector(".mark").textContent = "";
    });
    tabs.forEach((tab) => { tab.querySelector(".dot").hidden = true; });
  };
  const put = (view, items, name, text) => {
    if (items.length === 0) return;
    rows(view).filter((row) => items.includes(row.dataset.item)).forEach((row) => {
      row.classList.remove(...marks.map(([other]) => other));
      row.classList.add(name);
      row.querySelector(".mark").textContent = text;
    });
    tabs.find((tab) => tab.dataset.view === view).querySelector(".dot").hidden = false;
  };
  // Within its table, the first marked item comes into sight, with the head of its
  // partition; the page itself stays where it is.
  const reveal = (view) => {
    const row = rows(view).find((r) => r.querySelector(".mark").textContent !== "");
    const frame = row?.closest(".scroll");
    if (!frame) return;
    const before = row.closest("tbody").offsetTop - row.closest("table").tHead.offsetHeight;
    const fits = row.offsetTop + row.offsetHeight - before <= frame.clientHeight;
    frame.scrollTop = fits ? before : row.offsetTop - row.closest("table").tHead.offsetHeight;
  };
  const choose = (choice) => {
    mark(choices, choice);
    details.forEach((detail) => detail.classList.toggle("chosen", detail.id === choice.dataset.detail));
    clear();
    const { view, read, returned, referred, written } = choice.dataset;
    if (!view) return;
    put(view, numbers(read), "read", "read, dropped");
    put(view, numbers(returned), "returned", "returned");
    put("table", numbers(referred), "returned", "read then");
    put("table", numbers(written), "written", "written");
    showView(view);
    reveal(view);
  };
  roving(choices, ["ArrowUp", "ArrowDown"], choose);
  const telling = choices.find((c) => numbers(c.dataset.returned).length > 1) || choices.find((c) => c.dataset.returned) || choices[0];
  if (telling) choose(telling);

  // Search: what does not hold the text is hidden, in every table and list.
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const entries = all("[data-search]").map((element) => [element, element.textContent.toLowerCase()]);
  const find = () => {
    const text = search.value.trim().toLowerCase();
    let count = 0;
    entries.forEach(([element, content]) => {
      const hit = content.includes(text) || element.closest("tbody")?.querySelector(".partition")?.textContent.toLowerCase().includes(text);
      element.classList.toggle("unfound", !hit);
      if (hit) count++;
    });
    all(".items tbody").forEach((body) => body.classList.toggle("unfound", !body.querySelector("tr[data-item]:not(.unfound)")));
    const tabbable = choices.find((c) => c.tabIndex === 0);
    if (tabbable?.classList.contains("unfound")) {
      const first = choices.find((c) => !c.classList.contains("unfound"));
      if (first) { tabbable.tabIndex = -1; first.tabIndex = 0; }
    }
    found.textContent = text === "" ? "" : count === 1 ? "1 entry found" : `${count} entries found`;
  };
  search.addEventListener("input", find);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(input|textarea)$/i.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && search.value !== "") {
      search.value = "";
      find();
    }
  });

  // The section in view is marked among the contents.
  const links = all(".contents a");
  const seen = new IntersectionObserver((changes) => {
    changes.filter((c) => c.isIntersecting).forEach((c) => links.forEach((link) => {
      if (link.hash === `#${c.target.id}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }));
  }, { rootMargin: "-20% 0px -70% 0px" });
  all("main > section").forEach((section) => seen.observe(section));
})();
