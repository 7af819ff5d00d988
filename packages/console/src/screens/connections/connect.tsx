/** Connecting a point of sale in three steps: its credentials, its restaurants, and how much of the past is read. */
import type { ConnectionAccess } from '@daypart/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { connections } from '../../data/connections.ts';
import { loadGroup } from '../../data/group-load.ts';
import { navigate } from '../../data/router.ts';
import { may } from '../../data/session.ts';
import { NeedsScope, Screen } from '../../features/screen.tsx';
import { readDate } from '../../model/dates.ts';
import { formatCount } from '../../model/money.ts';
import { Card } from '../../widgets/card.tsx';
import {
  CredentialFields,
  Field,
  type FieldFault,
  faultOf,
  faultOfCheck,
  formText,
  KIND,
  Preview,
  saySeconds,
  Wrong,
} from './access-fields.tsx';
import { ChooseRestaurants, type Reached } from './choose-restaurants.tsx';

const LIST = '/data/connections';
/** The dates that are chosen unless somebody chooses others. */
const USUAL_DAYS = 84;
/** The steps of fields; those of the others are those of the last step. */
const STEPS: Record<string, number> = { url: 0, clientId: 0, clientSecret: 0, restaurantGuid: 0, restaurants: 1 };

export const Connect = () => (
  <Screen title="Connect a point of sale" crumb={{ name: 'Connections', href: LIST }}>
    {may('access:admin') ? (
      <>
        <Steps />
        <Preview />
      </>
    ) : (
      <NeedsScope scope="access:admin" />
    )}
  </Screen>
);

/** What is known so far, in memory only. */
interface Draft {
  access?: ConnectionAccess;
  reach?: Reached;
  guids: readonly string[];
}

function Steps() {
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState<Draft>({ guids: [] });
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<FieldFault>();
  const go = (to: number): void => {
    setRefusal(undefined);
    setStep(to);
  };
  const refuse = (refused: FieldFault | undefined): void => {
    setRefusal(refused);
    if (refused) setStep(STEPS[refused.field] ?? step);
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setRefusal(undefined);
    setBusy(true);
    await work().catch((error) => refuse(faultOf(error)));
    setBusy(false);
  };
  const check = (access: ConnectionAccess): Promise<void> =>
    attempt(async () => {
      const reach = await connections.check(access);
      if (!reach.ok) return refuse(faultOfCheck(reach));
      const free = reach.restaurants.filter(({ archived, taken }) => !archived && !taken);
      setDraft({ access, reach, guids: free.map(({ restaurantGuid }) => restaurantGuid) });
      setStep(1);
    });
  const create = ({ access, guids: restaurants }: Draft, pace: Pace): Promise<void> =>
    attempt(async () => {
      if (!access) return;
      await connections.create(Object.assign({ restaurants }, access, pace));
      await loadGroup();
      navigate(LIST);
    });
  const { reach, guids } = draft;
  // Hidden ones keep what was typed.
  return (
    <div class="cards">
      <Where active={step === 0} busy={busy} refusal={refusal} onAccess={(access) => void check(access)} />
      {reach && (
        <>
          <Step
            at={1}
            active={step === 1}
            next="Continue"
            disabled={guids.length === 0}
            onBack={() => go(0)}
            onNext={() => go(2)}
          >
            <ChooseRestaurants
              reach={reach}
              guids={guids}
              onGuids={(chosen) => setDraft(Object.assign({}, draft, { guids: chosen }))}
            />
            <Wrong of="restaurants" refusal={refusal} />
          </Step>
          <Past
            past={reach.past}
            count={guids.length}
            active={step === 2}
            busy={busy}
            refusal={refusal}
            onBack={() => go(1)}
            onPace={(pace) => void create(draft, pace)}
          />
        </>
      )}
    </div>
  );
}

const TITLES = ['Where it is', 'Restaurants', 'The past'];

interface StepProps {
  at: number;
  active: boolean;
  next: string;
  disabled: boolean;
  onNext: (form: FormData) => void;
  onBack?: () => void;
  children: ComponentChildren;
}

/** One step. It takes the focus when it begins, so that screen readers begin there. */
function Step({ at, active, next, disabled, onNext, onBack, children }: StepProps) {
  const form = useRef<HTMLFormElement>(null);
  const was = useRef(at === 0);
  useEffect(() => {
    if (active && !was.current) form.current?.focus();
    was.current = active;
  }, [active]);
  return (
    <div class="w8" hidden={!active}>
      <Card title={`${at + 1}. ${TITLES[at]}`} aside={`step ${at + 1} of ${TITLES.length}`}>
        <form
          ref={form}
          tabIndex={-1}
          class="stack wide-gap"
          aria-label={TITLES[at]}
          onSubmit={(event) => {
            event.preventDefault();
            onNext(new FormData(event.currentTarget));
          }}
        >
          {children}
          <div class="row">
            {onBack && (
              <button type="button" class="button" onClick={onBack}>
                Back
              </button>
            )}
            <button type="submit" class="button primary" disabled={disabled}>
              {next}
            </button>
          </div>
        </form>
      </Card>
    </div>
  );
}

interface Doing {
  active: boolean;
  busy: boolean;
  refusal: FieldFault | undefined;
}

function Where({ active, busy, refusal, onAccess }: Doing & { onAccess: (access: ConnectionAccess) => void }) {
  return (
    <Step
      at={0}
      active={active}
      next={busy ? 'Asking the point of sale' : 'Continue'}
      disabled={busy}
      onNext={(form) => {
        const [clientId, clientSecret] = [formText(form, 'clientId'), formText(form, 'clientSecret')];
        const restaurantGuid = formText(form, 'restaurantGuid') || null;
        onAccess({ kind: KIND, url: formText(form, 'url'), credentials: { clientId, clientSecret }, restaurantGuid });
      }}
    >
      <p class="muted">
        In Toast's web pages, under <i>Integrations → Toast API access → Manage credentials</i>, make credentials of the
        kind <i>Standard API</i> with all read scopes and all locations. They come with the address of the API.
      </p>
      <Field name="url" title="Address of the API" type="url" required placeholder="https://" refusal={refusal} />
      <CredentialFields refusal={refusal} />
      <Field
        name="restaurantGuid"
        title="GUID of one restaurant"
        hint="It finds the others. It is in the mail that confirms the API access; credentials of a partner need none."
        refusal={refusal}
      />
      <Wrong of="" refusal={refusal} />
    </Step>
  );
}

interface Pace {
  name: string | undefined;
  backfillDays: number;
  from: string | null;
}

interface PastProps extends Doing {
  past: Reached['past'];
  count: number;
  onBack: () => void;
  onPace: (pace: Pace) => void;
}

function Past({ past, count, active, busy, refusal, onBack, onPace }: PastProps) {
  const [days, setDays] = useState(USUAL_DAYS);
  return (
    <Step
      at={2}
      active={active}
      next={busy ? 'Connecting' : 'Connect'}
      disabled={busy}
      onBack={onBack}
      onNext={(form) => {
        const from = readDate(formText(form, 'from')) ?? null;
        onPace({ name: formText(form, 'name') || undefined, backfillDays: days, from });
      }}
    >
      <label class="field">
        <span>Dates before today</span>
        <select value={String(days)} onChange={(event) => setDays(Number(event.currentTarget.value))}>
          {past.map((one) => (
            <option key={one.days} value={String(one.days)}>
              {one.days === 0 ? 'none' : `${one.days} dates`}, about {saySeconds(one.seconds)}
            </option>
          ))}
        </select>
        <small>
          {count === 1 ? '1 restaurant' : `${formatCount(count)} restaurants`}, today first, then backwards. The times
          are those of all restaurants that were found, at the pace that the point of sale allows.
        </small>
      </label>
      <Field name="name" title="Name" hint="For people, such as Till" maxLength={100} refusal={refusal} />
      <Field
        name="from"
        title="First date"
        type="date"
        hint="Only where earlier dates were imported from exports: nothing before it is read"
        refusal={refusal}
      />
      <Wrong of="" refusal={refusal} />
    </Step>
  );
}
