/** ARCHITECTURE.md lists every file that a new report family touches, and they are few. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FAMILIES } from '../../packages/client/src/families.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A family whose name is part of no other word, and the part of orders that it is made of. */
const FAMILY = 'payout-payments';
const PART = 'card-payment';
/** It shares its query with the other reports of payments. */
const SHARED = { from: `duckdb/families/${FAMILY}.`, to: 'duckdb/families/payout.' };
const GENERATED = ['packages/client/src/families.ts'];
/**
 * Where the console shows what this family has: a choice for a screen, which a new family does not need. And the read
 * of a check, which has tips and gratuity under the same names.
 */
const SHOWN = [
  'packages/console/src/data/payments.ts',
  'packages/console/src/screens/restaurant/check-dialog.tsx',
  'packages/client/src/restaurants.ts',
];

const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const listed = [...text.matchAll(/^\| (\d+) \| `([^`]+)` \|/gm)].map(([, number, path = '']) => ({
  number: Number(number),
  path: path
    .replaceAll('<kind>', FAMILY)
    .replace('<part>', PART)
    .replace('<number>', '0012-card-payments')
    .replace(SHARED.from, SHARED.to),
}));

describe('adding a report family', () => {
  it('touches at most 14 files, with facts that are not kept yet', () => {
    assert.deepEqual(
      listed.map(({ number }) => number),
      listed.map((_, index) => index + 1),
    );
    assert.ok(listed.length > 0 && listed.length <= 14, `${listed.length} files`);
    assert.deepEqual(
      listed.filter(({ path }) => !existsSync(join(ROOT, path))),
      [],
    );
  });

  const known = new Set([...listed.map(({ path }) => path), ...GENERATED, ...SHOWN]);
  const naming = (files: string, named: RegExp): string[] =>
    globSync(files, { cwd: ROOT }).filter(
      (path) => !/\.test\.ts$/.test(path) && named.test(readFileSync(join(ROOT, path), 'utf8')),
    );

  it('touches no file that is not listed: each that names a family is in the list', () => {
    const found = naming(
      'packages/*/src/**/*.{ts,tsx,sql,json,js,css}',
      /payout-payments|payout_payments|payoutPayment/i,
    );
    assert.ok(found.length > GENERATED.length);
    assert.deepEqual(
      found.filter((path) => !known.has(path)),
      [],
    );
  });

  it('touches no list of fields: each file of those who read reports that names a field of the family alone is in the list', () => {
    const { [FAMILY]: family, ...others } = FAMILIES;
    const elsewhere = Object.values(others).flatMap(({ fields }) => Object.keys(fields));
    const own = Object.keys(family.fields).filter((field) => !elsewhere.includes(field));
    const found = naming('packages/{client,cli,console}/src/**/*.{ts,tsx}', new RegExp(own.join('|')));
    assert.ok(own.includes('paymentCardBrand') && found.length > GENERATED.length);
    assert.deepEqual(
      found.filter((path) => !known.has(path)),
      [],
    );
  });
});
