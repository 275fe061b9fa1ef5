/*
 * The part of the page element whose settings and step are the address of the page.
 */
"use strict";

const gpuLabLinking = (() => {
  const { say, signature, canonical, complaint, given, stepFrom } = gpuLabTools;
  const address = gpuLabAddress;
  const python = gpuLabPython;

  return (Base) =>
    class extends Base {
      /* What no address holds: a reader's program, and what is fixed for this place of the page. */
      get unlinked() {
        return Object.keys(this.fields).filter((name) => this.fields[name].type === "hidden" || this.codes.includes(name));
      }

      /* The address is the state: read strictly at load, after Back and Forward, and when the page comes back. */
      fromAddress(first = false) {
        clearTimeout(this.addressTimer);
        this.unwritten = false;
        const wanted = { ...this.defaults, ...this.ownFiles() };
        const notices = [];
        let step;
        for (const [name, value] of address.read(this.id)) {
          const sentence = this.complaintAbout(name, value);
          if (sentence) notices.push(sentence);
          else if (name === "step") step = value;
          else wanted[name] = canonical(this.fields[name], value);
        }
        if (signature(wanted) === signature(this.view.settings)) {
          this.drop();
          const at = stepFrom(step, this.view.count, notices);
          this.fill(this.view.settings, { force: first });
          this.notify([...notices, this.view.note]);
          return void this.go(at, { quiet: true });
        }
        const options = { step, history: "keep", notices, fallBack: true, force: first };
        if (this.listed(wanted)) return void this.apply(wanted, options);
        this.fill(wanted, { force: first });
        this.notify([...notices, this.coming(wanted)]);
        if (!python.unfinished) return void this.apply(wanted, options);
        this.report(say("The last start of Python in this tab did not finish, so it does not start by itself."), () => this.apply(wanted, options), say("Start Python"));
      }

      /* The page comes back from the cache, perhaps left before the address had the last step. */
      comeBack() {
        if (this.unwritten) this.writeAddress("replace");
        if (!this.unwritten) this.fromAddress();
        this.refresh();
      }

      /* What a link asks for that was not prepared, and what is shown meanwhile. */
      coming(wanted) {
        const told = (settings) =>
          Object.keys(wanted)
            .filter((name) => wanted[name] !== (this.view.settings[name] ?? ""))
            .map((name) => {
              const label = this.fields[name].dataset.label;
              const value = settings[name] ?? "";
              return value === "" ? say("no {label}", { label }) : value.length > 12 ? label : `${label} ${value}`;
            })
            .join(say(", "));
        return say("The link asks for {wanted}. Until Python has computed that, the figure shows {shown}.", { wanted: told(wanted), shown: told(this.view.settings) });
      }

      complaintAbout(name, value) {
        if (name === "step") return "";
        const known = Object.keys(this.defaults).filter((each) => !this.unlinked.includes(each)); // code does not run from a link
        return known.includes(name) ? complaint(this.fields[name], value) : given(say("setting"), name, known.join(", ") || say("none"));
      }

      /* Writes what differs from the defaults; pairs of others are kept. `how` is push or replace. */
      writeAddress(how) {
        clearTimeout(this.addressTimer);
        if (how === "replace" && address.crowded()) return void (this.addressTimer = setTimeout(() => this.writeAddress(how), address.PAUSE_MS));
        this.unwritten = false;
        const linked = Object.entries(this.defaults).filter(([name]) => !this.unlinked.includes(name));
        const settings = linked.map(([name, usual]) => [name, this.view.settings[name] ?? "", usual]);
        address.write(how, this.id, [...settings, ["step", String(this.at + 1), "1"]]);
      }
    };
})();
