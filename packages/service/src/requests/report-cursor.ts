/** Where a page of the list of reports begins. */
import { Text } from '../contract/schemas.ts';
import { readGuid } from '../contract/words.ts';
import { parameter } from '../http/query-parameters.ts';
import type { ReportRequest } from '../ledger/report.ts';

/** The place of a report in the list: newest first, and by GUID where they are of the same moment. */
type Place = Pick<ReportRequest, 'createdAt' | 'guid'>;

export const cursorOf = ({ createdAt, guid }: Place): string =>
  Buffer.from(`${createdAt} ${guid}`).toString('base64url');

function parseCursor(value: unknown): Place | undefined {
  if (typeof value !== 'string') return undefined;
  const [, createdAt, guid] = /^(\d{1,15}) (.+)$/.exec(Buffer.from(value, 'base64url').toString()) ?? [];
  return createdAt !== undefined && guid !== undefined && readGuid(guid) === guid
    ? { createdAt: Number(createdAt), guid }
    : undefined;
}

export const pageCursor = parameter(
  'cursor',
  'The `nextCursor` of the previous page',
  Text('MTc3NDAyOTYwMDAwMCBmMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDE'),
  { parse: parseCursor, expected: 'the nextCursor of a previous page' },
);
