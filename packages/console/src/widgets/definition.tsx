/**
 * The definition of a figure, from docs/metrics.md as the service shows it, with the numbers of the screen in place of
 * the fields.
 */
import { useEffect, useState } from 'preact/hooks';
import { spell } from '../model/locale.ts';
import { type Sums, workedOut } from '../model/worked-out.ts';
import { Dialog } from './dialog.tsx';

const SECTION = '/docs/metrics#figures-of-the-console';

/** A page of the service as a document. Under Trusted Types no text may be parsed as one, an answer may. */
function readPage(path: string): Promise<Document> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.responseType = 'document';
    call.onloadend = () => (call.responseXML ? resolve(call.responseXML) : reject(new Error(String(call.status))));
    // The scripts are in a folder of the service, which may be below a path of a proxy.
    call.open('GET', new URL(`..${path}`, import.meta.url));
    call.send();
  });
}

/** What the columns after the name of the figure say. Throws Error if the page has no such row. */
async function definitionOf(name: string): Promise<string[]> {
  const [path = '', section = ''] = SECTION.split('#');
  const page = await readPage(path);
  const heading = page.getElementById(section);
  const row = [...page.querySelectorAll('tr')].find(
    (one) =>
      one.cells[0]?.textContent?.trim() === name &&
      heading &&
      heading.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  if (!row) throw new Error(name);
  return [...row.cells].slice(1).map(({ textContent }) => textContent ?? '');
}

interface DefinitionProps {
  name: string;
  sums: Sums;
  currency: string | null;
  onClose: () => void;
}

export function Definition({ name, sums, currency, onClose }: DefinitionProps) {
  const [texts, setTexts] = useState<string[]>();
  useEffect(() => {
    definitionOf(name).then(setTexts, () => setTexts(['The definition cannot be read now.']));
  }, [name]);
  const [meaning, formula] = texts ?? [];
  const worked = formula && workedOut(formula, sums, currency);
  return (
    <Dialog title={spell(name)} onClose={onClose}>
      <p class="meaning">{meaning}</p>
      {worked && <p class="worked">{worked}</p>}
    </Dialog>
  );
}
