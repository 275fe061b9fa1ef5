/*
 * The part of the page element that steps when a finger moves sideways over the picture or its sentence: to the left for
 * the next step, to the right for the one before.
 *
 * Touch events, not pointer events: a browser that may scroll takes the pointer away as soon as the finger moves, unless
 * touch-action forbids it to scroll, and then a wide matrix could not be moved sideways. Nothing here stops a scroll.
 */
"use strict";

const gpuLabSwiping = (() => {
  const { inWideBox } = gpuLabTools;
  const FAR = 48; // pixels that a finger travels
  const FLAT = 2; // times as far sideways as up or down
  const LONG_MS = 800; // a slower finger selects text, or thinks
  const EDGE = 24; // where phones take the gesture for Back

  return (Base) =>
    class extends Base {
      touch = null; // where and when the one finger came down

      listenToTouch() {
        for (const name of ["frame", "say"]) {
          const place = this.piece(name);
          place.addEventListener("touchstart", (event) => this.touched(event), { passive: true });
          place.addEventListener("touchend", (event) => this.lifted(event), { passive: true });
          place.addEventListener("touchcancel", () => (this.touch = null), { passive: true });
        }
      }

      touched({ touches, target, timeStamp }) {
        const [{ clientX: x, clientY: y }] = touches;
        const atEdge = x < EDGE || x > document.documentElement.clientWidth - EDGE;
        const zoomed = (window.visualViewport?.scale ?? 1) > 1.01; // then a finger moves the page about
        this.touch = touches.length > 1 || atEdge || zoomed || inWideBox(target, this) ? null : { x, y, timeStamp };
      }

      lifted({ changedTouches, touches, timeStamp }) {
        const start = this.touch;
        this.touch = null;
        if (!start || touches.length || timeStamp - start.timeStamp > LONG_MS) return;
        const across = changedTouches[0].clientX - start.x;
        const down = changedTouches[0].clientY - start.y;
        if (Math.abs(across) >= FAR && Math.abs(across) >= FLAT * Math.abs(down)) this.go(this.target - Math.sign(across));
      }
    };
})();
