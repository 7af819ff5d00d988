/** What is left of the limits of calls, window by window. */
import { readLimits } from '../../data/access.ts';
import { useLoad } from '../../data/load.ts';
import { formatCount } from '../../model/money.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/state.tsx';

export function Limits() {
  const load = useLoad('limits', ({ signal }) => readLimits(signal));
  return (
    <Card title="Limits" aside={load.data && `what is left to ${load.data.clientId}`} bleed>
      <Loaded load={load} height={240}>
        {({ windows }) =>
          windows.length === 0 ? (
            <p class="state">Calls are not limited.</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where there is no room
            <section class="table-box" aria-label="Table of limits" tabIndex={0}>
              <table class="data dense">
                <thead>
                  <tr>
                    <th scope="col">Window</th>
                    <th scope="col">Left</th>
                    <th scope="col">Of</th>
                    <th scope="col">Ends in</th>
                  </tr>
                </thead>
                <tbody>
                  {windows.map(({ name, left, quota, endsInSeconds }) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      <td class={left === 0 ? 'unusual' : 'strong'}>{formatCount(left)}</td>
                      <td>{formatCount(quota)}</td>
                      <td>{formatCount(endsInSeconds)} s</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )
        }
      </Loaded>
    </Card>
  );
}
