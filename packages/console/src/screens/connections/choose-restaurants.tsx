/** The restaurants that credentials reach, with a check mark each, and what can be read of them. */
import type { ConnectionReach, FoundRestaurant } from '@daypart/client';

export type Reached = Extract<ConnectionReach, { ok: true }>;

/** What people call what is read. */
const READS: Record<string, string> = {
  orders: 'Orders',
  timeEntries: 'Time entries',
  names: 'Names',
  jobs: 'Names of jobs',
  employees: 'Names of employees',
  menus: 'Menus',
};
const SAID: Record<string, string> = { ok: 'can be read', no_permission: 'no permission' };

const aboutOf = ({ locationName, timeZone, currencyCode, archived, taken }: FoundRestaurant): string =>
  [
    locationName,
    timeZone.replaceAll('_', ' '),
    currencyCode,
    archived && 'archived',
    taken && 'has a connection already',
  ]
    .filter(Boolean)
    .join(' · ');

interface ChooseProps {
  reach: Reached;
  guids: readonly string[];
  onGuids: (guids: string[]) => void;
}

export function ChooseRestaurants({ reach: { restaurants, streams }, guids, onGuids }: ChooseProps) {
  const lacking = Object.values(streams).includes('no_permission');
  return (
    <>
      <fieldset class="plain-set">
        <legend>
          {restaurants.length === 1 ? '1 restaurant was found' : `${restaurants.length} restaurants were found`}
        </legend>
        {restaurants.map((one) => (
          <label class="check" key={one.restaurantGuid}>
            <input
              type="checkbox"
              disabled={one.taken}
              checked={guids.includes(one.restaurantGuid)}
              onChange={(event) => {
                const others = guids.filter((guid) => guid !== one.restaurantGuid);
                onGuids(event.currentTarget.checked ? [...others, one.restaurantGuid] : others);
              }}
            />
            <span>
              {one.name} <small class="faint">{aboutOf(one)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="note">What the credentials may read, tried with the first of them:</p>
      <ul class="files">
        {Object.entries(streams).map(([name, access]) => (
          <li key={name}>
            <span>{READS[name] ?? name}</span>
            <span class={access === 'ok' ? 'tag good' : 'tag warn'}>{SAID[access] ?? access}</span>
          </li>
        ))}
      </ul>
      {lacking && <p class="note">Permissions can be added where you made the credentials, also later.</p>}
    </>
  );
}
