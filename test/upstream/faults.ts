/** Rules by which the stand-in misbehaves: which calls, how often, and what happens to them. */
import { createRandom } from '../../packages/service/src/demo/random.ts';
import type { RouteName } from './routes.ts';
import type { Change } from './world.ts';

/** What happens to a call. `change`, `modify` and `advance` happen before it, and it is answered as usual. */
export type Fault =
  /** A status with an ErrorMessage; `retryAfter` in seconds. */
  | { kind: 'status'; status: number; message?: string; retryAfter?: number }
  /** 429 with the headers of a limit whose slice ends in `seconds`; without `Retry-After` if that is false. */
  | { kind: 'throttle'; by?: 'GLOBAL' | 'API' | 'ENDPOINT'; seconds: number; retryAfter?: boolean }
  /** The connection is reset before an answer. */
  | { kind: 'disconnect' }
  /** The connection is reset after so many bytes of the body; half of them without. */
  | { kind: 'cut'; bytes?: number }
  /** The body stops after so many bytes, half of them without, and never ends. */
  | { kind: 'hang'; bytes?: number }
  /** No answer at all; the connection stays open. */
  | { kind: 'silent' }
  /** The body comes at this rate, in real time. */
  | { kind: 'slow'; bytesPerSecond: number }
  /** 200 with text, an HTML page, or the first half of the JSON with its own length. */
  | { kind: 'text' | 'html' | 'truncated' }
  /** The page before the one that was asked for, once more. */
  | { kind: 'repeatPage' }
  /** An empty page with a next one; or the page, always with a next one. */
  | { kind: 'emptyPage' | 'endlessNext' }
  /** The `Date` header is wrong by so many seconds. */
  | { kind: 'date'; seconds: number }
  /** A page of at least so many bytes. */
  | { kind: 'large'; bytes: number }
  | { kind: 'redirect'; to: string }
  /** So many of the orders that the call asks for are modified first, so that they leave the set or move in it. */
  | { kind: 'modify'; orders: number }
  /** The upstream's clock moves on first. */
  | { kind: 'advance'; seconds: number }
  | { kind: 'change'; change: Change };

export type FaultKind = Fault['kind'];
export const FAULT_KINDS: readonly FaultKind[] = [
  ...(['status', 'throttle', 'disconnect', 'cut', 'hang', 'silent', 'slow', 'text', 'html', 'truncated'] as const),
  ...(['repeatPage', 'emptyPage', 'endlessNext', 'date', 'large', 'redirect', 'modify', 'advance', 'change'] as const),
];

export interface Rule {
  /** All calls without. */
  route?: RouteName | RouteName[];
  /** The GUID in the header. */
  restaurant?: string;
  /** Only calls for this page (`page=`). */
  page?: number;
  /** Of the calls that match, the first so many are spared. */
  skip?: number;
  /** Of the others, only each so many-th: 2 is the second, the fourth, … */
  every?: number;
  /** At most so many faults. */
  times?: number;
  /** From 0 to 1, drawn from the seed of the stand-in. */
  probability?: number;
  fault: Fault;
}

/** A rule with what has come of it. */
export interface StandingRule extends Rule {
  id: number;
  matched: number;
  applied: number;
}

/** The call that rules are matched with. */
export interface Called {
  route: RouteName | undefined;
  restaurant: string | undefined;
  page: number;
}

export interface Faults {
  rules: StandingRule[];
  /** Adds a rule; the one that was added first takes precedence. Throws a RangeError for an unknown kind of fault. */
  add(rule: Rule): StandingRule;
  /** Removes a rule, or all. */
  remove(id?: number): void;
  /** The faults of a call: everything that happens before it, and at most one of the others. */
  of(call: Called): Fault[];
}

const BEFORE: readonly FaultKind[] = ['change', 'modify', 'advance'];
/** Whether the fault happens before the call, which is then answered. */
export const isBefore = ({ kind }: Fault): boolean => BEFORE.includes(kind);

/** Keeps rules. */
export function createFaults(seed: string): Faults {
  const random = createRandom(`faults ${seed}`);
  const rules: StandingRule[] = [];
  let ids = 0;

  function applies(rule: StandingRule, { route, restaurant, page }: Called): boolean {
    const routes = rule.route === undefined ? undefined : [rule.route].flat();
    if (routes && !(route && routes.includes(route))) return false;
    if (rule.restaurant !== undefined && rule.restaurant !== restaurant) return false;
    if (rule.page !== undefined && rule.page !== page) return false;
    const { skip = 0, every = 1, times = Number.POSITIVE_INFINITY, probability = 1 } = rule;
    const number = ++rule.matched - skip;
    if (number <= 0 || number % every !== 0 || rule.applied >= times) return false;
    return probability >= 1 || random.chance(probability);
  }

  return {
    rules,
    add(rule) {
      if (!FAULT_KINDS.includes(rule.fault?.kind)) throw new RangeError(`a fault is one of ${FAULT_KINDS.join(', ')}`);
      const standing = { ...rule, id: ++ids, matched: 0, applied: 0 };
      rules.push(standing);
      return standing;
    },
    remove(id) {
      const kept = id === undefined ? [] : rules.filter((rule) => rule.id !== id);
      rules.splice(0, rules.length, ...kept);
    },
    of(call) {
      const faults: Fault[] = [];
      for (const rule of rules) {
        const taken = faults.some((fault) => !isBefore(fault));
        if (!applies(rule, call) || (taken && !isBefore(rule.fault))) continue;
        rule.applied++;
        faults.push(rule.fault);
      }
      return faults;
    },
  };
}
