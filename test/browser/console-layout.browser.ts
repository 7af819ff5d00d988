/** The layout of the console: nothing moves while it loads, nothing scrolls sideways, nothing is cut off when text is large. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { named, skip } from '../docs/browser.ts';
import { type ConsoleVisits, SCREENS, startConsole, visit } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(30);
});
after(() => visits?.stop());

describe(named('the layout of the console'), { skip }, () => {
  it('never scrolls sideways on phones of 390 and 320 pixels', async () => {
    const { page, close } = await visits.open('/');
    const wide: string[] = [];
    try {
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const path of SCREENS) {
          await visit(page, path);
          const extent = await page.evaluate(() => document.documentElement.scrollWidth);
          if (extent > width) wide.push(`${path} is ${extent} at ${width}`);
        }
      }
    } finally {
      await close();
    }
    assert.deepEqual(wide, []);
  });

  it('moves nothing on the overview while its figures arrive, and little on other screens', async () => {
    const { page, close } = await visits.open('/');
    const moved: string[] = [];
    try {
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(globalThis, { shifts });
        const watch = (list: PerformanceObserverEntryList): void => {
          for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[]) shifts.push(value);
        };
        new PerformanceObserver(watch).observe({ type: 'layout-shift', buffered: true });
      });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of ['/', ...SCREENS]) {
          // Each figure is asked for again.
          await page.evaluate(() => sessionStorage.clear());
          await visit(page, path);
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          const shift = await page.evaluate(() =>
            (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, one) => sum + one, 0),
          );
          // What web vitals call good is 0.1.
          if (shift > (path === '/' ? 0.001 : 0.05)) moved.push(`${path} at ${width}: ${shift.toFixed(4)}`);
        }
      }
    } finally {
      await close();
    }
    assert.deepEqual(moved, []);
  });

  it('can be read with text of twice the size alone: nothing is cut, nothing scrolls sideways', async () => {
    const { page, close } = await visits.open('/');
    const cut: string[] = [];
    try {
      for (const path of SCREENS) {
        await visit(page, path);
        cut.push(
          ...(await page.evaluate(async (where) => {
            const all = [...document.querySelectorAll<HTMLElement>('body, body *:not(svg *)')];
            // All sizes first: to change one changes those within it.
            const styles = all.map((element) => {
              const { fontSize, lineHeight } = getComputedStyle(element);
              return [Number.parseFloat(fontSize), Number.parseFloat(lineHeight)] as const;
            });
            for (const [at, element] of all.entries()) {
              const [size = 0, line = Number.NaN] = styles[at] ?? [];
              element.style.fontSize = `${2 * size}px`;
              if (line > 0) element.style.lineHeight = `${2 * line}px`;
            }
            // Tables of many rows measure them again.
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            const faults: string[] = [];
            const { scrollWidth, clientWidth } = document.documentElement;
            if (scrollWidth > clientWidth) faults.push(`${where} is ${scrollWidth} wide`);
            for (const element of all) {
              const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
              const hides = overflowX === 'hidden' || overflowY === 'hidden' || overflowX === 'clip';
              const isOver =
                element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
              // What has an ellipsis says that it is longer, and has its whole text as a title; fields scroll.
              if (
                hides &&
                isOver &&
                textOverflow !== 'ellipsis' &&
                !element.matches('.hidden, .hidden *, input, select')
              )
                faults.push(`${where} cuts ${element.className || element.tagName}`);
            }
            return faults;
          }, path)),
        );
      }
    } finally {
      await close();
    }
    assert.deepEqual(cut, []);
  });
});
