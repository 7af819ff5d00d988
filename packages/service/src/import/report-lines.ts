/** The report of an import as lines for people. */

import type { FileReport, RowNote } from './file-tally.ts';
import type { DayReport, ImportReport } from './import.ts';
import type { MenusReport } from './menu-export.ts';

/** How many lines of one file are shown. */
const MOST_LINES = 20;
const DATES_SHOWN = 5;

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;

export function reportLines(report: ImportReport, isDryRun = false): string[] {
  const lines = report.days.flatMap(dayLines);
  for (const { folder, message } of report.foldersNotRead) lines.push(`NOT READ: ${folder}: ${message}`);
  if (report.foldersNotRead.length > 0) lines.push('');
  if (report.notTried.length > 0) lines.push(`Not attempted: ${report.notTried.join(', ')}`, '');
  if (report.menus) lines.push(menusLine(report.menus, isDryRun), '');
  lines.push('What this export cannot give:');
  for (const { figure, why, dates } of report.cannotGive) {
    lines.push(`  ${figure}: ${why}${dates === null ? '' : ` (${datesText(dates)})`}`);
  }
  const orders = report.days.reduce((sum, day) => sum + day.orders, 0);
  const entries = report.days.reduce((sum, day) => sum + day.timeEntries, 0);
  const unchanged = report.days.reduce((sum, day) => sum + day.unchanged, 0);
  const whole = report.days.filter(({ problem }) => problem === null).length;
  const rest = report.days.length + report.notTried.length - whole;
  lines.push(
    '',
    `${isDryRun ? 'Read and checked, nothing loaded:' : 'Loaded'} ${count(orders, 'order')} and ${count(entries, 'time entry', 'time entries')} of ${count(whole, 'day')}${unchangedText(unchanged)}${rest > 0 ? `; ${count(rest, 'day')} not` : ''}.`,
  );
  return lines;
}

const unchangedText = (unchanged: number): string => (unchanged > 0 ? `, ${unchanged} of them unchanged` : '');

function menusLine(report: MenusReport, isDryRun: boolean): string {
  const { file, date, menus, groups, items, skipped = 0, state, message } = report;
  const of = `${file} of ${date}`;
  if (message !== null) return `Menus: ${of} NOT ${state === 'not read' ? 'READ' : 'LOADED'}: ${message}`;
  if (state === 'older') return `Menus: ${of} not loaded: the stored menus remain, because a later date is loaded`;
  const counts = `${count(menus, 'menu')}, ${count(groups, 'group')}, ${count(items, 'item')}`;
  const rest = skipped > 0 ? `, ${count(skipped, 'entry', 'entries')} without a name or a GUID skipped` : '';
  return `Menus: ${counts} ${isDryRun ? 'read' : 'loaded'}${rest} (${of})`;
}

function datesText(dates: readonly number[]): string {
  const more = dates.length - DATES_SHOWN;
  return `${dates.slice(0, DATES_SHOWN).join(', ')}${more > 0 ? ` and ${count(more, 'more day')}` : ''}`;
}

function dayLines(day: DayReport): string[] {
  const { date, folder, orders, timeEntries, unchanged, problem, refusal, files, others, notices } = day;
  const loaded = `${count(orders, 'order')}, ${count(timeEntries, 'time entry', 'time entries')}${unchangedText(unchanged)}`;
  const lines = [
    `${date}  ${problem === null ? loaded : `${orders > 0 ? 'NOT LOADED WHOLE' : 'NOT LOADED'}: ${problem}`}  (${folder})`,
  ];
  if (refusal) lines.push(`  if that is right, load it all the same with --force-${refusal}`);
  for (const file of files) lines.push(...fileLines(file));
  if (others.length > 0) lines.push(`  nothing is read of ${others.join(', ')}`);
  for (const { message, orders: many, timeEntries: entries = 0, first, amount } of notices) {
    const sum = amount === 0 ? '' : `, together ${amount.toFixed(2)}`;
    const counts = [
      ...(many > 0 || entries === 0 ? [count(many, 'order')] : []),
      ...(entries > 0 ? [count(entries, 'time entry', 'time entries')] : []),
    ];
    const places = first.length === 0 ? '' : ` (${first.join(', ')}${many + entries > first.length ? ', …' : ''})`;
    lines.push(`  note: ${message}: ${counts.join(', ')}${sum}${places}`);
  }
  return [...lines, ''];
}

function fileLines({ file, state, read, skipped, skippedCount, notRead, notReadCount }: FileReport): string[] {
  const name = file.padEnd(31);
  if (state === 'missing') return [`  ${name}missing`];
  const counts = `${read} read, ${skippedCount} skipped, ${notReadCount} not read`;
  return [
    `  ${name}${state === 'read' ? counts : 'NOT READ'}`,
    ...skippedLines(skipped, skippedCount),
    ...notReadLines(file, notRead, notReadCount),
  ];
}

/** Grouped by reason. */
function skippedLines(notes: readonly RowNote[], all: number): string[] {
  const reasons = Map.groupBy(notes, ({ message }) => message);
  const lines = [...reasons].map(([message, rows]) => `    ${rows.length} skipped: ${message}`);
  return all > notes.length ? [...lines, `    and ${all - notes.length} more skipped`] : lines;
}

/** One by one. */
function notReadLines(file: string, notes: readonly RowNote[], all: number): string[] {
  const lines = notes
    .slice(0, MOST_LINES)
    .map(({ line, message }) => `    ${file}${line === null ? '' : `:${line}`}: ${message}`);
  const more = all - lines.length;
  return more > 0
    ? [...lines, `    and ${more} more; --json shows ${all > notes.length ? `the first ${notes.length}` : 'all'}`]
    : lines;
}
