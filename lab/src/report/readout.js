// The point of a line that is nearest to the pointer, in words. Drawings measure 1000 units both ways.
(() => {
  "use strict";
  const SIZE = 1000;
  const number = (value) => String(Number(value.toPrecision(3))).replace("-", "−");
  const axisOf = (text) => {
    const [low, high, symbol, unit] = text.split(" ");
    const value = (share) => Number(low) + share * (high - low);
    return (share) => `${symbol} ${number(value(share))} ${unit}`;
  };
  const pointsOf = (line) =>
    [...line.querySelectorAll("path")].flatMap((path) =>
      path.getAttribute("d").split(/[ML]/).slice(1).map((pair) => pair.split(" ").map((at) => at / SIZE)));
  const child = (area, name) => {
    const element = document.createElement("span");
    element.className = name;
    return area.appendChild(element);
  };

  for (const area of document.querySelectorAll(".carpet .area")) {
    const [x, y] = [axisOf(area.dataset.x), axisOf(area.dataset.y)];
    const lines = [...area.querySelectorAll("[data-name]")];
    const points = lines.flatMap((line) => pointsOf(line).map(([left, top]) => ({ line, left, top })));
    const [dot, words] = [child(area, "dot"), child(area, "told")];
    const tell = (event) => {
      const box = area.getBoundingClientRect();
      const far = ({ left, top }) =>
        Math.hypot(box.left + left * box.width - event.clientX, box.top + top * box.height - event.clientY);
      const at = points.reduce((best, point) => (far(point) < far(best) ? point : best));
      area.classList.add("telling");
      for (const mark of [dot, words]) {
        mark.style.left = `${100 * at.left}%`;
        mark.style.top = `${100 * at.top}%`;
      }
      words.classList.toggle("left", at.left > 0.5);
      words.textContent = `${at.line.dataset.name}: ${x(at.left)}, ${y(1 - at.top)}`;
    };
    if (points.length === 0) continue;
    area.addEventListener("pointermove", tell);
    area.addEventListener("pointerdown", tell);
    area.addEventListener("pointerleave", () => area.classList.remove("telling"));
  }
})();
