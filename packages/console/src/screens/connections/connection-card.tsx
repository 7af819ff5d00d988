/** A connection: its state in the words of the service, its restaurants, and what can be done about it. */
import type { ConnectionInfo } from '@daypart/client';
import { useState } from 'preact/hooks';
import { connections } from '../../data/connections.ts';
import { loadGroup } from '../../data/group-load.ts';
import { formatInstant, readDate } from '../../model/dates.ts';
import { formatCount } from '../../model/money.ts';
import { Card } from '../../widgets/card.tsx';
import { ConfirmButton } from '../../widgets/confirm.tsx';
import {
  CredentialFields,
  Field,
  type FieldFault,
  faultOf,
  formText,
  KIND,
  saySeconds,
  Wrong,
} from './access-fields.tsx';
import { Members } from './members.tsx';
import { SmallForm } from './small-form.tsx';

/** The fields of each form, which show what is wrong with them. */
const FORMS: Record<string, string[]> = { credentials: ['clientId', 'clientSecret'], dates: ['from', 'to'] };
const TONES: Record<string, string> = { active: 'good', refused: 'bad', paused: 'warn' };

interface CardProps {
  connection: ConnectionInfo;
  isAdmin: boolean;
  onChanged: () => void;
}

export function ConnectionCard({ connection, isAdmin, onChanged }: CardProps) {
  const { id, name, kind, state, message, url, clientId, credentialsSetAt, lagSeconds, restaurants } = connection;
  const [refusal, setRefusal] = useState<FieldFault>();
  const attempt = async (work: Promise<unknown>): Promise<boolean> => {
    setRefusal(undefined);
    try {
      await work;
      onChanged();
      await loadGroup();
      return true;
    } catch (error) {
      setRefusal(faultOf(error));
      return false;
    }
  };
  const facts = [
    url,
    `client id ${clientId ?? 'unreadable'}${credentialsSetAt ? `, set ${formatInstant(credentialsSetAt)}` : ''}`,
    lagSeconds === null ? 'nothing is read yet' : `behind by ${saySeconds(lagSeconds)}`,
  ];
  const leave = (guid: string): Promise<boolean> => {
    const others = restaurants.map(({ restaurantGuid }) => restaurantGuid).filter((other) => other !== guid);
    return attempt(connections.change(id, { restaurants: others }));
  };
  return (
    <Card
      title={name}
      aside={`${kind.charAt(0).toUpperCase()}${kind.slice(1)}, preview`}
      bleed
      end={<span class={`tag ${TONES[state] ?? ''}`}>{state}</span>}
    >
      <div class="state none">
        <b>{message}</b>
        <span class="grow">{facts.join(' · ')}</span>
        {isAdmin && <Actions connection={connection} refusal={refusal} attempt={attempt} />}
      </div>
      <Members connection={connection} onLeave={isAdmin && restaurants.length > 1 ? leave : undefined} />
    </Card>
  );
}

interface ActionsProps {
  connection: ConnectionInfo;
  refusal: FieldFault | undefined;
  /** Whether the work succeeded. */
  attempt: (work: Promise<unknown>) => Promise<boolean>;
}

function Actions({ connection: { id, kind, name, state }, refusal, attempt }: ActionsProps) {
  const [open, setOpen] = useState(state === 'refused' && kind === KIND ? 'credentials' : '');
  const [message, setMessage] = useState('');
  const toggle = (what: string, label: string) => (
    <button
      type="button"
      class="button small"
      aria-expanded={open === what}
      onClick={() => setOpen(open === what ? '' : what)}
    >
      {label}
    </button>
  );
  const replace = async (form: FormData): Promise<void> => {
    const credentials = { clientId: formText(form, 'clientId'), clientSecret: formText(form, 'clientSecret') };
    if (!(await attempt(connections.replaceCredentials(id, credentials)))) return;
    setMessage('The new credentials work.');
    setOpen('');
  };
  const readAgain = async (form: FormData): Promise<void> => {
    const [from, to] = ['from', 'to'].map((field) => readDate(formText(form, field)) ?? '');
    const read = async (): Promise<void> => {
      const { dates } = await connections.read(id, { from: from ?? '', to: to ?? '' });
      setMessage(`${formatCount(dates)} ${dates === 1 ? 'date' : 'dates'} will be read again.`);
    };
    if (await attempt(read())) setOpen('');
  };
  return (
    <>
      <div class="row">
        {state === 'active' && (
          <button type="button" class="button small" onClick={() => void attempt(connections.pause(id))}>
            Pause
          </button>
        )}
        {state === 'paused' && (
          <button type="button" class="button small primary" onClick={() => void attempt(connections.resume(id))}>
            Resume
          </button>
        )}
        {kind === KIND && toggle('credentials', 'New credentials')}
        {toggle('dates', 'Read dates again')}
        <ConfirmButton
          label="Disconnect"
          confirm={`Disconnect ${name} and delete its credentials`}
          onConfirm={async () => void (await attempt(connections.remove(id)))}
        />
        <span role="status">{message}</span>
      </div>
      {open === 'credentials' && (
        <SmallForm label="New credentials" submit="Try and replace" onForm={replace}>
          <CredentialFields refusal={refusal} />
        </SmallForm>
      )}
      {open === 'dates' && (
        <SmallForm label="Dates" submit="Read again" onForm={readAgain}>
          <Field name="from" title="From" type="date" required refusal={refusal} />
          <Field name="to" title="To" type="date" required refusal={refusal} />
        </SmallForm>
      )}
      {!FORMS[open]?.includes(refusal?.field ?? '') && <Wrong of={refusal?.field ?? ''} refusal={refusal} />}
    </>
  );
}
