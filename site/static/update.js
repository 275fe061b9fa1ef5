/*
 * A newer version of the lab is offered, never forced: a kept lab goes on as it is until the reader takes the new one, or closes
 * its last page. Pages in other tabs go on too, with the files that they began with.
 */
"use strict";

(() => {
  const { say, setText, element } = gpuLabTools;
  const python = gpuLabPython;
  const workers = gpuLabWorkers;
  const LOOK_AGAIN_MS = 30 * 60_000;
  if (!workers || !document.querySelector('meta[name="gpu-lab-offline"]')) return;

  const sentence = element("p", { role: "status" });
  const take = element("button", { type: "button" });
  const later = element("button", { type: "button", textContent: say("Later") });
  const box = element("aside", { className: "newer", hidden: true });
  box.setAttribute("aria-label", say("A newer version"));
  box.append(sentence, take, later);
  document.body.append(box);
  later.addEventListener("click", () => (box.hidden = true));

  function offer(text, label, act) {
    box.hidden = false;
    setText(sentence, text);
    setText(take, label);
    take.onclick = act;
  }

  let taken = false;
  let controlled = Boolean(workers.controller);
  workers.addEventListener("controllerchange", () => {
    if (taken) location.reload();
    else if (controlled) offer(say("The lab was updated in another tab. This page is of the version before and goes on working."), say("Reload this page"), () => location.reload());
    controlled = true;
  });

  workers.ready?.then((registration) => {
    function look() {
      const { waiting } = registration;
      if (!waiting || !workers.controller) return;
      offer(say("A newer version of the lab is here. Taking it reloads this page; settings and step stay."), say("Take it"), () => {
        taken = true;
        waiting.postMessage({ type: "update" });
      });
    }
    look();
    registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));

    let lookedAt = Date.now();
    const check = () => {
      lookedAt = Date.now();
      registration.update().catch(() => {}); // without a network there is none
    };
    document.addEventListener("visibilitychange", () => !document.hidden && Date.now() - lookedAt > LOOK_AGAIN_MS && check());
    python.watchers.add(() => python.state === "failed" && check()); // perhaps a file is gone because the site was updated
  });
})();
