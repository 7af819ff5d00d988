/**
 * The index of the search over all pages of the docs: which sections have which words. A browser loads it when somebody
 * begins to search.
 */
import { PROBLEM_CODES, PROBLEMS } from '../contract/problems.ts';
import { GUIDES } from './guide-list.ts';
import { findGuide } from './guides.ts';
import { type ReferencePage, referencePath } from './reference-pages.ts';

interface Section {
  path: string;
  /** The id of its heading; empty for the beginning of a page. */
  anchor: string;
  page: string;
  heading: string;
  text: string;
}

/** As it is sent: numbers instead of names, because the names repeat. */
interface SearchIndex {
  /** Path and title. */
  pages: [string, string][];
  /** Number of the page, anchor, heading. */
  sections: [number, string, string][];
  /** For each word the numbers of its sections, each but the first as the difference from the one before it. */
  words: Record<string, number[]>;
}

/** Words that say nothing of a section. */
const COMMON = new Set(
  'the of and or to in is it as by if for are was be on not with that this from at an has have no does which each all than its'.split(
    ' ',
  ),
);

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plainText = (markup: string): string =>
  markup.replace(/<[^>]*>/g, ' ').replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ENTITIES[name] ?? ' ');

/** The words of a text in lower case, of `reportRequestGuid` also its parts. */
function wordsOf(text: string): Set<string> {
  const found = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const parts = found.flatMap((word) => [word, ...(/[a-z][A-Z]/.test(word) ? word.split(/(?<=[a-z])(?=[A-Z])/) : [])]);
  // Numbers but those of statuses, and what begins with one, are examples.
  const words = parts
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1 && (!/^\d|\d{4}/.test(word) || /^[2-5]\d\d$/.test(word)));
  return new Set(words.filter((word) => !COMMON.has(word)));
}

/** The sections of a page: what precedes its first heading of the second level, and each heading with its text. */
function sectionsOf({ path, title, markup }: { path: string; title: string; markup: string }): Section[] {
  const [start = '', ...others] = markup.split(/(?=<h[23] id=")/);
  const begin = { path, anchor: '', page: title, heading: '', text: plainText(start) };
  return [
    begin,
    ...others.map((part) => {
      const [, anchor = '', heading = ''] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(part) ?? [];
      return { path, anchor, page: title, heading: plainText(heading).trim(), text: plainText(part) };
    }),
  ];
}

const operationSections = ({ name, title, operations }: ReferencePage): Section[] =>
  operations.map(({ id, summary, description, method, path, parameters }) => ({
    path: referencePath(name),
    anchor: id,
    page: title,
    heading: summary,
    text: [id, method, path, summary, description, ...parameters.map((one) => one.name)].join(' '),
  }));

function allSections(reference: readonly ReferencePage[]): Section[] {
  const guides = GUIDES.flatMap(({ name }) => {
    const guide = findGuide(name);
    return guide ? sectionsOf({ path: `/docs/${name}`, title: guide.title, markup: guide.body.html }) : [];
  });
  const problems = PROBLEM_CODES.map((code) => ({
    path: `/docs/problems/${code}`,
    anchor: '',
    page: PROBLEMS[code].title,
    heading: code,
    text: `${code} ${PROBLEMS[code].status} ${PROBLEMS[code].title} ${PROBLEMS[code].help}`,
  }));
  return [...guides, ...reference.flatMap(operationSections), ...problems];
}

/** The index of all guides, operations and problems. */
export function makeSearchIndex(reference: readonly ReferencePage[]): SearchIndex {
  const all = allSections(reference);
  const pages = new Map(all.map(({ path, page }) => [path, page]));
  const paths = [...pages.keys()];
  const places = new Map<string, number[]>();
  for (const [number, { page, heading, text }] of all.entries())
    for (const word of wordsOf(`${page} ${heading} ${text}`)) {
      const known = places.get(word);
      if (known) known.push(number);
      else places.set(word, [number]);
    }
  return {
    pages: [...pages],
    sections: all.map(({ path, anchor, heading }) => [paths.indexOf(path), anchor, heading]),
    words: Object.fromEntries(
      [...places].map(([word, numbers]) => [word, numbers.map((number, at) => number - (numbers[at - 1] ?? 0))]),
    ),
  };
}
