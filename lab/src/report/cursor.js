// One cursor through all strips and over the map: values of that moment stand in the legends.
(() => {
  "use strict";
  const moments = JSON.parse(document.getElementById("moments").textContent);
  const count = moments.t.length;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const cursors = all(".cursor");
  const values = all("[data-s]");
  const here = document.querySelector(".here");
  const number = (value) =>
    value === null ? "–" : value.toFixed(Math.abs(value) < 10 ? 2 : 1).replace("-", "−");

  const show = (n) => {
    document.body.classList.toggle("reading", n !== null);
    if (n === null) return;
    const share = (100 * moments.t[n]) / moments.t[count - 1];
    for (const cursor of cursors) {
      cursor.style.left = share + "%";
      cursor.dataset.time = moments.t[n].toFixed(1) + " s";
    }
    for (const value of values) value.textContent = number(moments.s[value.dataset.s][n]);
    here.style.left = moments.x[n] + "%";
    here.style.top = moments.y[n] + "%";
  };

  const nearest = (x, y, shape) => {
    let best = 0;
    let least = Infinity;
    for (let n = 0; n < count; n++) {
      const far = (moments.x[n] - x) ** 2 + ((moments.y[n] - y) * shape) ** 2;
      if (far < least) [least, best] = [far, n];
    }
    return best;
  };

  const shares = (element, event) => {
    const box = element.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height, box];
  };

  for (const area of all(".area")) {
    const move = (event) => {
      const share = Math.min(1, Math.max(0, shares(area, event)[0]));
      show(Math.round(share * (count - 1)));
    };
    area.addEventListener("pointermove", move);
    area.addEventListener("pointerdown", move);
    area.addEventListener("pointerleave", () => show(null));
  }
  const land = document.querySelector(".land");
  const follow = (event) => {
    const [x, y, box] = shares(land, event);
    show(nearest(100 * x, 100 * y, box.height / box.width));
  };
  land.addEventListener("pointermove", follow);
  land.addEventListener("pointerdown", follow);
  land.addEventListener("pointerleave", () => show(null));
})();
