// Live pages of the book: <div class="live" data-orders='[{"course":"skid-pad"}]'>Drive a circle</div> becomes a button that
// opens the showroom's page in the chapter and gives it these orders. Where the page is not beside the book, nothing is shown.
(() => {
  const address = new URL("../drive/index.html", document.baseURI);
  const places = document.querySelectorAll(".live");
  const open = (place) => {
    const frame = document.createElement("iframe");
    frame.allow = "autoplay; gamepad";
    frame.src = address;
    frame.title = place.textContent;
    place.replaceChildren(frame);
    const begin = setInterval(() => {
      const showroom = frame.contentWindow?.showroom;
      if (!showroom || showroom.state().steps < 1) return;
      clearInterval(begin);
      for (const order of JSON.parse(place.dataset.orders)) showroom.order(order);
      frame.contentWindow.focus();
    }, 50);
  };
  const offer = (place) => {
    const button = document.createElement("button");
    button.textContent = `▶ ${place.textContent}`;
    button.addEventListener("click", () => open(place));
    place.replaceChildren(button);
    place.classList.add("ready");
  };
  if (places.length) fetch(address, { method: "HEAD" }).then((answer) => answer.ok && places.forEach(offer), () => {});
})();
