/*
 * Runs in a measured page before all of its own scripts, and leaves what it has seen in `gpuLabBench`: {done, result}.
 * The folder of the address says what is to be done: read and live are the chapter, all others show text in #out.
 * Times are ms since navigation; what is seen counts from the frame in which it has been painted.
 */
(() => {
  if (window.top !== window || window.gpuLabBench || !/^\/(read|live|bare|pyscript)\//.test(location.pathname)) return;
  const bench = (window.gpuLabBench = { done: false, result: null });
  const mode = location.pathname.split("/")[1];
  const seen = { longest_ms: null, shift: null };
  const QUIET_MS = 600; // after the load event, for what the page does by itself
  const LOOK_MS = 10;

  function observe(type, note) {
    if (!PerformanceObserver.supportedEntryTypes?.includes(type)) return false;
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
    return true;
  }
  if (observe("longtask", (entry) => (seen.longest_ms = Math.max(seen.longest_ms, entry.duration)))) seen.longest_ms = 0;
  if (observe("layout-shift", (entry) => (seen.shift += entry.hadRecentInput ? 0 : entry.value))) seen.shift = 0;

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const loaded = () => new Promise((done) => (document.readyState === "complete" ? done() : addEventListener("load", done, { once: true })));
  /* A message that is posted in the callback of a frame arrives when that frame has been painted. */
  const painted = () =>
    new Promise((done) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now());
        channel.port2.postMessage(0);
      }),
    );
  async function until(holds, every = LOOK_MS) {
    while (!holds()) await pause(every);
    return painted();
  }
  async function each(count, change) {
    const times = [];
    for (let i = 0; i < count; i++) {
      await pause(80); // a reader is slower still
      const start = performance.now();
      const holds = change(i);
      times.push((await until(holds, 0)) - start);
    }
    return times;
  }

  const find = (css) => document.querySelector(css);
  const figure = (css) => find(`#dot-product ${css}`);
  const words = (node) => node?.textContent.replace(/\s+/g, " ").trim() ?? "";
  const position = () => words(figure('[data-slot="position"]'));
  function run(settings) {
    for (const [name, value] of Object.entries(settings)) {
      const field = figure(`details [name="${name}"]`);
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    figure(".w-run").click();
  }

  /* Next is pressed until it answers. */
  async function read() {
    const next = () => figure('[data-act="next"]');
    const steppable_ms = await until(() => {
      if (next()) next().click();
      return position() === "step 2 of 4";
    });
    await loaded();
    await pause(QUIET_MS);
    const { longest_ms, shift } = seen;
    const interaction_ms = await each(20, (i) => {
      const [act, wanted] = i % 2 ? ["next", "step 2 of 4"] : ["previous", "step 1 of 4"];
      figure(`[data-act="${act}"]`).click();
      return () => position() === wanted;
    });
    return { steppable_ms, longest_ms, shift, interaction_ms };
  }

  /* Run of a setting that is not prepared, as soon as there is something that answers to it. */
  async function live() {
    const state = () => words(figure('[data-slot="state"]'));
    const say = () => words(figure('[data-slot="say"]'));
    await customElements.whenDefined("gpu-lab-widget");
    run({ n: "6", row: "2", column: "1", inputs: "distinct" });
    const live_ms = await until(() => state().includes("Computed in this page by Python") && position() === "step 1 of 6");
    const [first, { longest_ms, shift }] = [say(), { ...seen }];
    await pause(QUIET_MS);
    const interaction_ms = await each(20, (i) => {
      const row = i % 2 ? "2" : "3";
      run({ row });
      return () => say().includes(`A[${row},0]`) && state().includes("Computed in this page");
    });
    return { live_ms, longest_ms, shift, interaction_ms, first };
  }

  async function peer() {
    const out = () => words(find("#out"));
    const live_ms = await until(() => out().includes("n = 6: C[2,1] ="));
    const [first, { longest_ms, shift }] = [out(), { ...seen }];
    await pause(QUIET_MS);
    const interaction_ms = await each(20, (i) => {
      const n = 3 + (i % 5);
      find("#n").value = n;
      find("#n").dispatchEvent(new Event("input", { bubbles: true }));
      return () => out().includes(`n = ${n}: C[`);
    });
    return { live_ms, longest_ms, shift, interaction_ms, first };
  }

  (async () => {
    if (document.readyState === "loading") await new Promise((done) => document.addEventListener("readystatechange", done, { once: true }));
    let result;
    try {
      result = await (mode === "read" ? read : mode === "live" ? live : peer)();
    } catch (error) {
      result = { problem: String(error) };
    }
    const fcp = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null;
    Object.assign(bench, { result: { ...result, fcp_ms: fcp, origin_ms: performance.timeOrigin }, done: true });
    if (window.gpuLabBenchReports) fetch(window.gpuLabBenchReports, { method: "POST", body: JSON.stringify(bench.result) });
  })();
})();
