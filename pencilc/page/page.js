"use strict";
(function () {
  var root = document.documentElement;
  var button = document.getElementById("theme");
  var themes = ["", "light", "dark"];
  var names = { "": "as the system", light: "light", dark: "dark" };
  function show(theme) {
    if (theme) root.setAttribute("data-theme", theme);
    else root.removeAttribute("data-theme");
    button.textContent = "Theme: " + names[theme];
  }
  // A page of a file has no storage in some browsers: then the choice lasts as long as the page.
  var theme = root.getAttribute("data-theme") || "";
  try { theme = theme || localStorage.getItem("pencilc-theme") || ""; } catch (error) { /* none */ }
  if (themes.indexOf(theme) < 0) theme = "";
  show(theme);
  button.hidden = false;
  button.addEventListener("click", function () {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    show(theme);
    try { localStorage.setItem("pencilc-theme", theme); } catch (error) { /* none */ }
  });

  // Lines that do the same work light up together, on the side that is looked at and on the other one.
  var byLine = {};
  document.querySelectorAll(".l[data-s]").forEach(function (line) {
    var key = line.getAttribute("data-s");
    (byLine[key] = byLine[key] || []).push(line);
  });
  function lit(event, on) {
    var line = event.target.closest ? event.target.closest(".l[data-s]") : null;
    if (!line) return;
    byLine[line.getAttribute("data-s")].forEach(function (each) { each.classList.toggle("lit", on); });
  }
  document.querySelectorAll(".pane").forEach(function (pane) {
    pane.addEventListener("mouseover", function (event) { lit(event, true); });
    pane.addEventListener("mouseout", function (event) { lit(event, false); });
    pane.addEventListener("focusin", function (event) { lit(event, true); });
    pane.addEventListener("focusout", function (event) { lit(event, false); });
  });

  // What a link leads to may be folded.
  function unfold() {
    var target = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    if (!target) return;
    for (var at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView({ block: target.classList.contains("l") ? "center" : "start" });
  }
  window.addEventListener("hashchange", unfold);
  unfold();
})();
