/** One retrieval: finds the report, waits for it, negotiates its form and sends it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Access } from '../access/access.ts';
import { type Caller, callerOf } from '../access/caller.ts';
import type { Limits } from '../access/limits.ts';
import { type Places, takePlace } from '../access/places.ts';
import { Problem } from '../contract/problems.ts';
import type { Cause } from '../contract/trace.ts';
import type { Facts } from '../facts/facts.ts';
import type { Form, Only } from '../facts/form.ts';
import type { ReportFamily } from '../families/family.ts';
import type { Families } from '../families/index.ts';
import type { Estimates } from '../gather/estimate.ts';
import type { Signals } from '../gather/signals.ts';
import { asProblem } from '../http/store-problem.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { ReportRequest } from '../ledger/report.ts';
import type { AddDeps } from '../requests/add.ts';
import { failed, inProgress, lost } from '../requests/answers.ts';
import { findReport, type Wanted } from '../requests/find.ts';
import { applyPreference, waitAsPreferred } from '../requests/ready.ts';
import { isUnfinished } from '../requests/wait.ts';
import type { ListLedger } from '../restaurants/loaded.ts';
import { formName } from '../results/forms.ts';
import { ReportLost } from '../results/rows.ts';
import type { Choice } from './negotiate.ts';
import type { Representations } from './representations.ts';
import { openSandbox, readReserved } from './sandbox.ts';
import { announceSunset } from './sunset.ts';
import { heldTag, notModified, transfer, wantsDigest } from './transfer.ts';
import { readWishes, type Wishes } from './wishes.ts';
import { workbookOf } from './workbook.ts';

export interface DeliverDeps extends AddDeps {
  ledger: AddDeps['ledger'] & ClientLedger & ListLedger;
  facts: Facts;
  causeOf: (request: FastifyRequest) => Cause;
  access: Access;
  limits: Limits;
  representations: Representations;
  /** The concurrent retrievals of large reports of each client, counted for all bases together. */
  places: Places;
  signals: Signals;
  estimates: Estimates;
  families: Families;
  log: Logger;
  config: { sandbox: boolean; waitSeconds: number; sunset: Date; reportDays: number; guestScope: boolean };
  /** The base URL that was called, e.g. `http://127.0.0.1:8080/v1`. */
  baseOf: (request: FastifyRequest) => string;
}

/**
 * A retrieval of the request's caller, by the request's query and headers, of all rows or `only` some. `requestedGuid`
 * is the GUID as it was written.
 */
export type Retrieve = (
  wanted: Wanted & { family: ReportFamily; only?: Only | undefined },
  requestedGuid: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Sends a completed report in the negotiated form, or 304 if the client has it. */
function createSender({ representations, limits, places }: Pick<DeliverDeps, 'representations' | 'limits' | 'places'>) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    report: ReportRequest,
    form: Form,
    choice: Choice,
  ): Promise<FastifyReply> => {
    const key = `${report.guid}/${report.attempt}/${formName(form)}/${choice.key}`;
    const { 'if-none-match': ifNoneMatch, 'want-repr-digest': wantDigest } = request.headers;
    const addLimits = () => limits.addHeaders(request, reply);
    const held = representations.held(key);
    if (held) {
      const tag = heldTag(ifNoneMatch, held.of, choice);
      return tag
        ? await notModified(request, reply, { rendered: held.of, etag: tag }, addLimits)
        : await transfer(request, reply, held, addLimits);
    }
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    reply.raw.once('close', onClose);
    try {
      const rendered = await representations.render(report, form, gone.signal);
      const tag = heldTag(ifNoneMatch, rendered, choice);
      if (tag) return await notModified(request, reply, { rendered, etag: tag }, addLimits);
      const wants = { digest: wantsDigest(wantDigest), signal: gone.signal };
      const found = await representations.code(rendered, choice, key, wants);
      // Compressing that continues from here on is for later clients, so this client's disconnect must not abort it.
      reply.raw.off('close', onClose);
      if (Buffer.isBuffer(found.content)) return await transfer(request, reply, found, addLimits);
      const leave = takePlace(places, request, 'retrievals of large reports');
      return await transfer(request, reply, found, addLimits).finally(leave);
    } catch (error) {
      if (gone.signal.aborted) throw new Problem('unavailable', 'The client disconnected.', { cause: error });
      throw asProblem(error);
    } finally {
      reply.raw.off('close', onClose);
    }
  };
}

/** The call that a completed report is sent to, in the dialect of `caller`. */
interface SentTo {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  wanted: Wanted & { family: ReportFamily };
}

/** Sends a completed report as it is wished. */
export type Deliver = (report: ReportRequest, wishes: Wishes, to: SentTo) => Promise<FastifyReply>;

/** Opens the sending of completed reports. It throws Problems. */
export function openDelivery(deps: DeliverDeps): Deliver {
  const send = createSender(deps);
  return async (report, { choice, names, people, bom, only }, { request, reply, caller, wanted }) => {
    const { groups, aggregate } = report.plan;
    const { kind } = wanted.family;
    const shape = { kind, dialect: caller.dialect, names, groups, aggregate };
    const form: Form = { format: choice.format, ...shape, ...(bom ? { bom } : {}), ...(only ? { only } : {}) };
    if (people) form.currencies = (report.totals ?? []).map(({ currencyCode }) => currencyCode);
    if (choice.format === 'xlsx') form.workbook = workbookOf(wanted.family, report, form);
    try {
      return await send(request, reply, report, form, choice);
    } catch (error) {
      // If it was deleted or expired meanwhile, its files may be gone: the answer is then the 404.
      await findReport(deps, caller, report.guid, wanted, deps.clock());
      if (!(error instanceof ReportLost)) throw error;
      deps.log.error({ err: error, reportRequestGuid: report.guid }, 'a completed report cannot be read any more');
      throw lost(report, deps.baseOf(request));
    }
  };
}

/** Opens retrievals. They throw Problems. */
export function openRetrieval(deps: DeliverDeps, deliver = openDelivery(deps)): Retrieve {
  const { config, clock } = deps;
  const sandbox = openSandbox({
    ...deps,
    announceSunset: (reply, successor) => announceSunset(reply, successor, config),
  });
  async function answer(
    { only, ...wanted }: Parameters<Retrieve>[0],
    requestedGuid: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const wishes = readWishes(request, wanted.family);
    const caller = callerOf(request);
    const reserved = config.sandbox ? readReserved(requestedGuid) : undefined;
    const call = { request, reply, caller, wanted, base: deps.baseOf(request) };
    const guid = reserved ? await sandbox.answer(reserved, call) : requestedGuid;
    if (guid === undefined) {
      applyPreference(request, reply, config.waitSeconds);
      return inProgress(reply, requestedGuid, 1);
    }

    const found = await findReport(deps, caller, guid, wanted, clock());
    const report = await waitAsPreferred(deps, found, request, reply);
    if (report.state === 'failed') throw failed(report, deps.baseOf(request));
    if (report.state !== 'completed') {
      if (!isUnfinished(report)) await findReport(deps, caller, guid, wanted, clock());
      return inProgress(reply, report.guid, await deps.estimates.retryAfter(report));
    }
    return await deliver(report, { ...wishes, only }, { request, reply, caller, wanted });
  }

  return answer;
}
