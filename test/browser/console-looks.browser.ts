/** The console for everyone: rules of accessibility on every screen, in both schemes, on a desk and on a phone. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { named, skip } from '../docs/browser.ts';
import { axeFaults, axeInBoth, type ConsoleVisits, SCREENS, settled, startConsole, visit } from './console.ts';

let visits: ConsoleVisits;
before(async () => {
  if (!skip) visits = await startConsole(30);
});
after(() => visits?.stop());

describe(named('a console without data'), { skip }, () => {
  it('leads to them: it adds a restaurant, shows how to load orders, and keeps the rules', async () => {
    const empty = await startConsole(0);
    try {
      const { page, faults, close } = await empty.open('/', { bypassCSP: true });
      await page.getByRole('heading', { name: 'Three steps to the first figures' }).waitFor();
      assert.deepEqual(await axeFaults(page), []);
      await page.getByRole('textbox', { name: 'Name' }).fill('Corner Bistro');
      await page.getByLabel('Currency').fill('usd');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('Corner Bistro, done.').waitFor();
      assert.match(await page.locator('pre.code').innerText(), /\/v1\/restaurants\/[0-9a-f-]{36}\/orders/);
      for (const path of ['/restaurants', '/compare', '/labour', '/data', '/health']) await visit(page, path);
      assert.deepEqual(faults, []);
      await close();
    } finally {
      await empty.stop();
    }
  });
});

describe(named('the console'), { skip }, () => {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    it(`keeps the rules of accessibility on every screen, ${colorScheme} at ${width} pixels`, async () => {
      const { page, close } = await visits.open('/', {
        ...{ viewport: { width, height: 900 }, colorScheme, bypassCSP: true },
      });
      const found: Record<string, string[]> = {};
      try {
        for (const path of SCREENS) {
          await visit(page, path);
          const faults = await axeFaults(page);
          if (faults.length > 0) found[path] = faults;
        }
      } finally {
        await close();
      }
      assert.deepEqual(found, {});
    });
  }

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

  it('prints the overview on light pages without what one presses', async () => {
    const { page, close } = await visits.open('/', { colorScheme: 'dark' });
    try {
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
      assert.equal(await page.locator('.nav').isVisible(), false);
      assert.equal(await page.getByRole('button', { name: 'Export' }).isVisible(), false);
      assert.equal(await page.getByText('Net sales by hour').isVisible(), true);
      assert.ok((await page.pdf({ format: 'A4' })).length > 20_000);
    } finally {
      await close();
    }
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

  it('keeps the rules in its dialogs, while the service is away, and when the session has expired', async () => {
    const { page, context, close } = await visits.open('/', { bypassCSP: true });
    const found: Record<string, string[]> = {};
    const look = async (state: string): Promise<void> => {
      const faults = await axeInBoth(page);
      if (faults.length > 0) found[state] = faults;
    };
    try {
      for (const [key, name] of [
        ['e', 'Export'],
        ['?', 'Keys'],
        ['Control+k', /Go to/],
      ] as const) {
        await page.keyboard.press(key);
        await page.getByRole('dialog', { name }).waitFor();
        await look(String(name));
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
      await page.getByRole('button', { name: /Signed in as/ }).click();
      await page.getByRole('dialog').waitFor();
      await look('account');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Columns' }).click();
      await look('columns');
      await page.keyboard.press('Escape');

      await context.setOffline(true);
      await page.getByRole('button', { name: 'Previous date' }).click();
      await page.getByText('The service cannot be reached').waitFor();
      await look('offline');
      await context.setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).last().click();
      await page.getByText('The service cannot be reached').waitFor({ state: 'hidden' });

      const other = await context.newPage();
      await other.goto(visits.service.origin);
      await settled(other);
      await other.getByRole('button', { name: /Signed in as/ }).click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      await look('expired session');
    } finally {
      await close();
    }
    assert.deepEqual(found, {});
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

  it('shows tables for charts, and the same numbers in them', async () => {
    const { page, close } = await visits.open('/');
    try {
      await page.getByRole('button', { name: 'Show net sales by hour as a table' }).click();
      const amounts = await page.getByRole('row').filter({ hasText: /\$/ }).first().innerText();
      assert.match(amounts, /\$/);
      await page.getByRole('button', { name: 'Show net sales by hour as a chart' }).click();
      await settled(page);
    } finally {
      await close();
    }
  });
});
