/** The screens by path. Overview and Restaurant are in the first script; the others are loaded when they are opened. */
import type { ComponentType } from 'preact';
import { NotFound } from './screens/not-found.tsx';
import { Overview } from './screens/overview/overview.tsx';

export type Part = ComponentType<{ guid: string; tab: string }>;

interface ScreenOf {
  name: string;
  /** What of the path varies: a GUID, and the part of the screen. */
  pattern: RegExp;
  part?: Part;
  load?: () => Promise<Part>;
}

const GUID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';

const SCREENS: readonly ScreenOf[] = [{ name: 'overview', pattern: /^\/$/, part: Overview }];

export interface Found {
  name: string;
  guid: string;
  tab: string;
  part: Part | undefined;
  load: (() => Promise<Part>) | undefined;
}

/** The screen of a path, and what the path says of it. */
export function findScreen(path: string): Found {
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
  for (const { name, pattern, part, load } of SCREENS) {
    const match = pattern.exec(plain);
    if (match) return { name, guid: match.groups?.guid ?? '', tab: match.groups?.tab ?? '', part, load };
  }
  return { name: 'not-found', guid: '', tab: '', part: NotFound, load: undefined };
}

export { GUID };
