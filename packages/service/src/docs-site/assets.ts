/** The style and the scripts of the pages, read once. Their path contains their hash, so they can be cached forever. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const MEDIA_TYPES: Record<string, string> = {
  'docs.css': 'text/css; charset=utf-8',
  'site.js': 'text/javascript; charset=utf-8',
  'search.js': 'text/javascript; charset=utf-8',
  'tabs.js': 'text/javascript; charset=utf-8',
  'try.js': 'text/javascript; charset=utf-8',
  'call.js': 'text/javascript; charset=utf-8',
  'answer.js': 'text/javascript; charset=utf-8',
};

interface Asset {
  type: string;
  body: string;
}

const files = new Map<string, Asset>(
  Object.entries(MEDIA_TYPES).map(([name, type]) => [
    name,
    { type, body: readFileSync(new URL(`./static/${name}`, import.meta.url), 'utf8') },
  ]),
);
/** One hash for all files, because the script's modules import each other without it. */
const hash = createHash('sha256');
for (const { body } of files.values()) hash.update(body);
const version = hash.digest('hex').slice(0, 12);

export const assetPath = (name: string): string => `/docs/assets/${version}/${name}`;

/** Undefined for an unknown name and for another version. */
export const findAsset = (request: string, name: string): Asset | undefined =>
  request === version ? files.get(name) : undefined;
