/** What is left of the limits of calls, window by window. */
import { readLimits } from '../../data/access.ts';
import { useLoad } from '../../data/load.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/state.tsx';

export function Limits() {
  const load = useLoad('limits', ({ signal }) => readLimits(signal));
  return (
    <Card title="Limits" aside="what is left of each window" bleed>
      <Loaded load={load} height={240}>
        {(windows) => {
          const fields = [...new Set(windows.flatMap((window) => Object.keys(window)))];
          if (windows.length === 0) return <p class="state">Calls are not limited.</p>;
          return (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where there is no room
            <section class="table-box" aria-label="Table of limits" tabIndex={0}>
              <table class="data dense">
                <thead>
                  <tr>
                    {fields.map((field) => (
                      <th key={field} scope="col">
                        {field}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {windows.map((window, at) => (
                    <tr key={at}>
                      {fields.map((field) => (
                        <td key={field}>{String(window[field] ?? '–')}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          );
        }}
      </Loaded>
    </Card>
  );
}
