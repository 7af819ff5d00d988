/** The report families: their names in the console and their requests. */

import { FAMILIES as DECLARED, type FamilyDeclaration } from '@daypart/client';
import { spell } from '../model/locale.ts';

export interface FamilyForm extends Omit<FamilyDeclaration, 'limits' | 'fields'> {
  kind: string;
}

export const FAMILIES: readonly FamilyForm[] = Object.entries(DECLARED).map(([kind, family]) => ({
  kind,
  ...family,
  label: spell(family.label),
}));

const ANY_RANGES: FamilyForm['ranges'] = ['day', 'week', 'month', 'year', 'custom'];
const ANY_DATES = { start: 'startBusinessDate', end: 'endBusinessDate' };

/** The family of a kind of report. A kind that this version does not know has no groups. */
export const familyOf = (kind: string): FamilyForm =>
  FAMILIES.find((family) => family.kind === kind) ?? {
    kind,
    label: kind,
    path: `/${kind}`,
    ranges: ANY_RANGES,
    dates: ANY_DATES,
    groups: [],
    mostGroups: 0,
    aggregates: [],
  };
