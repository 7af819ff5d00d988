/** The contrasts of WCAG 2.2 AA, computed from the tokens: axe does not check text in drawings. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const [lightText = '', darkText = ''] = css.split('@media screen');

const tokensOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]));

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Text on its background: at least 4.5; drawings and borders of fields: at least 3. */
const TEXT = ['text', 'muted', 'faint', 'accent', 'data', 'good', 'bad', 'warn'].flatMap((text) =>
  (text === 'data' ? ['surface'] : ['surface', 'page', 'raised']).map((ground) => [text, ground] as const),
);
const DRAWN = ['edge', 'data', 'compare', 'compare-line', 'part-1', 'part-2', 'part-3', 'part-4', 'part-5'];
const HEAT = [0, 1, 2, 3, 4, 5, 6];

for (const [scheme, tokens] of [
  ['light', tokensOf(lightText)],
  ['dark', new Map([...tokensOf(lightText), ...tokensOf(darkText)])],
] as const) {
  const color = (name: string): string => tokens.get(name) ?? assert.fail(`no token ${name}`);

  describe(`the ${scheme} colours`, () => {
    it('are readable as text on every ground', () => {
      const faint = [
        ...TEXT,
        ['on-accent', 'accent'] as const,
        ['bad', 'bad-soft'] as const,
        ['good', 'good-soft'] as const,
      ]
        .map(([text, ground]) => [`${text} on ${ground}`, contrast(color(text), color(ground))] as const)
        .filter(([, value]) => value < 4.5);
      assert.deepEqual(faint, []);
    });

    it('are visible as lines, bars and borders', () => {
      const faint = DRAWN.map((name) => [name, contrast(color(name), color('surface'))] as const).filter(
        ([, value]) => value < 3,
      );
      assert.deepEqual(faint, []);
    });

    it('of the heat map have readable text, and their lightness moves in one direction', () => {
      const faint = HEAT.filter((at) => contrast(color(`on-heat-${at}`), color(`heat-${at}`)) < 4.5);
      assert.deepEqual(faint, []);
      const lightness = HEAT.map((at) => luminance(color(`heat-${at}`)));
      const sorted = [...lightness].sort((a, b) => (scheme === 'light' ? b - a : a - b));
      assert.deepEqual(lightness, sorted);
    });
  });
}
