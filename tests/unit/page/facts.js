// What a browser makes of a page, asked in frames of several widths and themes; the facts go into <pre id="facts">.
"use strict";

function luminance(rgb) {
  const parts = rgb.map(function (value) {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

function numbers(colour) {
  const found = colour.match(/[\d.]+/g).map(Number);
  return { rgb: found.slice(0, 3), alpha: found.length > 3 ? found[3] : 1 };
}

function contrast(one, other) {
  const pair = [luminance(one), luminance(other)].sort(function (a, b) { return b - a; });
  return (pair[0] + 0.05) / (pair[1] + 0.05);
}

// The colour behind an element: of the nearest one around it that has one; in a picture, of the shape that it stands on.
function behind(view, element) {
  if (element.ownerSVGElement) {
    const shape = shapeBelow(view, element);
    if (shape) return numbers(view.getComputedStyle(shape).fill).rgb;
  }
  for (let at = element; at; at = at.parentElement) {
    const colour = numbers(view.getComputedStyle(at).backgroundColor);
    if (colour.alpha > 0.99) return colour.rgb;
  }
  return [255, 255, 255];
}

function shapeBelow(view, text) {
  const box = text.getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  let found = null;
  for (const shape of text.ownerSVGElement.querySelectorAll("rect, circle")) {
    if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
    const inside = shape.getBoundingClientRect();
    const isFilled = view.getComputedStyle(shape).fill !== "none";
    if (isFilled && inside.left <= x && x <= inside.right && inside.top <= y && y <= inside.bottom) found = shape;
  }
  return found;
}

function ownText(element) {
  return Array.from(element.childNodes).some(function (node) { return node.nodeType === 3 && node.data.trim(); });
}

function lowestContrast(view, root) {
  const seen = new Map();
  let lowest = { contrast: 99, text: "" };
  for (const element of root.querySelectorAll("body *")) {
    if (!ownText(element) || !element.checkVisibility || !element.checkVisibility()) continue;
    if (["SCRIPT", "STYLE", "TITLE"].includes(element.tagName.toUpperCase())) continue;
    const style = view.getComputedStyle(element);
    const colour = element.ownerSVGElement ? style.fill : style.color;
    const line = element.closest(".l");
    const key = colour + (line ? line.className : element.ownerSVGElement ? Math.random() : element.className + element.parentElement.className);
    if (seen.has(key)) continue;
    seen.set(key, true);
    const found = contrast(numbers(colour).rgb, behind(view, element));
    if (found < lowest.contrast) lowest = { contrast: found, text: element.textContent.trim().slice(0, 40) };
  }
  return lowest;
}

function overlaps(root) {
  const found = [];
  for (const picture of root.querySelectorAll("svg")) {
    const texts = Array.from(picture.querySelectorAll("text"));
    const boxes = texts.map(function (text) { return text.getBoundingClientRect(); });
    const around = picture.getBoundingClientRect();
    for (let i = 0; i < boxes.length; i++) {
      const a = boxes[i];
      if (!a.width) continue;
      if (a.left < around.left - 1 || a.right > around.right + 1 || a.top < around.top - 1 || a.bottom > around.bottom + 1)
        found.push(texts[i].textContent + " leaves its picture");
      for (let k = i + 1; k < boxes.length; k++) {
        const b = boxes[k];
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2)
          found.push(texts[i].textContent + " over " + texts[k].textContent);
      }
    }
    // What is written in a box stays in it.
    for (const box of picture.querySelectorAll(".box")) {
      const rect = box.querySelector("rect").getBoundingClientRect();
      for (const text of box.querySelectorAll(":scope > text, :scope > a > text")) {
        const inside = text.getBoundingClientRect();
        if (inside.left < rect.left || inside.right > rect.right) found.push(text.textContent + " leaves its box");
      }
    }
  }
  return found;
}

function broken(root) {
  return Array.from(root.querySelectorAll('a[href^="#"]'))
    .map(function (link) { return link.getAttribute("href").slice(1); })
    .filter(function (name) { return !root.getElementById(name); });
}

function behaviour(view, root) {
  const line = root.querySelector(".l[data-s]");
  const others = Array.from(root.querySelectorAll('.l[data-s="' + line.getAttribute("data-s") + '"]'));
  line.dispatchEvent(new view.MouseEvent("mouseover", { bubbles: true }));
  const lit = others.every(function (each) { return each.classList.contains("lit"); });
  line.dispatchEvent(new view.MouseEvent("mouseout", { bubbles: true }));
  const out = !others.some(function (each) { return each.classList.contains("lit"); });
  const button = root.getElementById("theme");
  const before = root.documentElement.getAttribute("data-theme");
  button.click();
  const after = root.documentElement.getAttribute("data-theme");
  // A folded line opens when something leads to it.
  const folded = Array.from(root.querySelectorAll("details:not([open]) .l[id]"))[0];
  let opened = true;
  if (folded) {
    view.location.hash = folded.id;
    view.dispatchEvent(new view.HashChangeEvent("hashchange"));
    opened = folded.closest("details").open;
  }
  return { lit: lit && out && others.length > 1, themed: before !== after && !button.hidden, opened: opened };
}

function factsOf(frame) {
  const view = frame.contentWindow, root = frame.contentDocument;
  const sticking = root.documentElement.scrollWidth - root.documentElement.clientWidth;
  const ids = Array.from(root.querySelectorAll("[id]")).map(function (each) { return each.id; });
  return {
    sticking: sticking,
    columns: view.getComputedStyle(root.querySelector(".panes")).gridTemplateColumns.split(" ").length,
    paper: view.getComputedStyle(root.body).backgroundColor,
    lowest: lowestContrast(view, root),
    overlaps: overlaps(root),
    broken: broken(root),
    twice: ids.filter(function (id, k) { return ids.indexOf(id) !== k; }),
    behaviour: behaviour(view, root),
  };
}

function ask() {
  const found = {};
  for (const frame of document.querySelectorAll("iframe")) {
    try { found[frame.id] = factsOf(frame); } catch (error) { found[frame.id] = { fault: String(error) }; }
  }
  document.getElementById("facts").textContent = JSON.stringify(found);
}
window.addEventListener("load", ask);
