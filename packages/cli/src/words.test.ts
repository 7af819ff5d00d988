/** Words of the command: arguments, dates, restaurants. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeadlineError, InvalidRequestError } from '@daypart/client';
import { readArguments } from './arguments.ts';
import { endingOf } from './command-error.ts';
import { reportCommands } from './commands.ts';
import { UsageError } from './exit.ts';
import { asksHelp, findCommand } from './program.ts';
import { findTable, readReportQuery } from './report-query.ts';
import { findRestaurant } from './restaurants.ts';
import { readSpan, spanOf } from './span.ts';
import { TABLES } from './tables/index.ts';
import { METRICS } from './tables/metrics.ts';

const named = (...words: string[]) => findCommand(reportCommands(['metrics', 'checks']), words)?.command;
const argsOf = (...args: string[]) => {
  const command = named('report');
  assert.ok(command);
  return readArguments(command, args);
};
/** 2026-03-20, a Friday, 18:00 UTC. */
const NOW = Date.UTC(2026, 2, 20, 18);
const span = (...args: string[]): string => {
  const { start, end } = readSpan(argsOf(...args), NOW, 'UTC');
  return `${start}-${end}`;
};

describe('dates in words', () => {
  it('are those that people mean', () => {
    const read = Object.fromEntries(
      ['today', 'yesterday', 'this-week', 'last-week', 'last-7-days', 'this-month', 'last-month'].map((word) => [
        word,
        span(`--${word}`),
      ]),
    );

    assert.deepEqual(read, {
      today: '20260320-20260320',
      yesterday: '20260319-20260319',
      'this-week': '20260316-20260320',
      'last-week': '20260309-20260315',
      'last-7-days': '20260313-20260319',
      'this-month': '20260301-20260320',
      'last-month': '20260201-20260228',
    });
  });

  it('need a time zone only if they depend on the current time', () => {
    const { start } = readSpan(argsOf('--date', '20260310'), NOW, 'Etc/Unknown');
    const { end } = readSpan(argsOf('--from', '20260310', '--to', '20260311'), NOW, '');

    assert.deepEqual([start, end], ['20260310', '20260311']);
    assert.throws(() => readSpan(argsOf('--date', '20260310', '--time-zone', 'Mars'), NOW, 'UTC'), /there is no Mars/);
  });

  it('hold on Mondays, on firsts and over the turn of a year', () => {
    const words = [
      spanOf('this-week', '20260316'),
      spanOf('last-week', '20260316'),
      spanOf('last-week', '20260315'),
      spanOf('last-month', '20260101'),
      spanOf('this-month', '20260301'),
      spanOf('last-month', '20240331'),
    ];

    assert.deepEqual(
      words.map(({ start, end }) => `${start}-${end}`),
      [
        '20260316-20260316',
        '20260309-20260315',
        '20260302-20260308',
        '20251201-20251231',
        '20260301-20260301',
        '20240201-20240229',
      ],
    );
  });

  it('begin at 4:00 of the time zone', () => {
    const at = (now: number, zone: string): string => readSpan(argsOf('--today'), now, zone).start;

    const dates = [
      at(Date.UTC(2026, 2, 20, 3, 59), 'UTC'),
      at(Date.UTC(2026, 2, 20, 4), 'UTC'),
      at(Date.UTC(2026, 2, 20, 7, 30), 'America/New_York'),
      readSpan(argsOf('--today', '--time-zone', 'Asia/Tokyo'), Date.UTC(2026, 2, 20, 20), 'UTC').start,
    ];

    assert.deepEqual(dates, ['20260319', '20260320', '20260319', '20260321']);
  });

  it('end yesterday if the end is omitted, or are one date if yesterday is before the start', () => {
    const spans = [
      span('--from', '2026-03-01'),
      span('--from', '20260320'),
      span('--from', '2026-03-01', '--to', '20260302'),
      span('--date=2026-03-10'),
    ];

    assert.deepEqual(spans, ['20260301-20260319', '20260320-20260320', '20260301-20260302', '20260310-20260310']);
  });

  it('are as many as the help of --last-N-days says', () => {
    const help = named('report')?.flags.find(({ name }) => name === 'last-N-days')?.help ?? '';
    const most = Number(/(\d+) at most/.exec(help)?.[1]);

    assert.equal(span(`--last-${most}-days`), '20160312-20260319');
    assert.throws(() => span(`--last-${most + 1}-days`), new RegExp(`from 1 to ${most}, not ${most + 1}`));
  });

  it('are refused if there are none, or two', () => {
    const cases: [string[], RegExp][] = [
      [[], /which dates\? for example --yesterday/],
      [['--today', '--date', '20260310'], /--today or --date, not both/],
      [['--to', '20260310'], /--to needs --from/],
      [['--date', '2026-02-30'], /not in the calendar/],
      [['--date', 'tomorrow'], /tomorrow is no date/],
      [['--from', '20260310', '--to', '20260309'], /--to 2026-03-09 is before --from 2026-03-10/],
      [['--today', '--time-zone', 'Mars/Base'], /--time-zone: there is no Mars\/Base/],
    ];

    for (const [args, message] of cases) assert.throws(() => span(...args), message, args.join(' '));
  });
});

describe('what is asked for', () => {
  it('has the smallest range that holds it, and none past a year', () => {
    const ranges = ['20260319', '20260313', '20260312', '20260217', '20260216', '20250319', '20250318'].map(
      (from) => readReportQuery(argsOf('metrics', '--from', from, '--to', '20260319'), METRICS, NOW, 'UTC').range,
    );

    assert.deepEqual(ranges, ['day', 'week', 'month', 'month', 'year', 'year', null]);
  });

  it('names a report by the first part of its word if that is unique', async () => {
    assert.equal(await findTable(TABLES, 'guest'), await findTable(TABLES, 'guest-payments'));
    assert.equal((await findTable(TABLES, 'payout')).word, 'payout');
  });

  it('is refused if its words contradict each other', async () => {
    const cases: [string[], RegExp][] = [
      [['metrics', '--last-0-days'], /--last-N-days takes a number of days from 1 to 3660, not 0/],
      [['metrics', '--last-days'], /unknown flag --last-days; did you mean --last-7-days/],
      [['metrics', '--today', '--by', 'dining-option,revenue-center,order-source'], /at most two/],
      [['metrics', '--today', '--by', 'dinning-option'], /did you mean dining-option\?/],
      [['checks', '--today', '--by', 'hour'], /checks cannot be split/],
      [['metrics', '--today', '--restaurant', 'a', '--exclude', 'b'], /--restaurant or --exclude/],
      [['--today'], /report of what\? report metrics, or report checks(, or report [a-z-]+)*$/],
      [['metrisc', '--today'], /reports of metrics, checks(, [a-z-]+)*, not of metrisc; did you mean metrics\?/],
      [['metrics', '--todya'], /did you mean --today\?/],
      [['metrics', '--today', '--xlsx'], /unknown flag --xlsx; did you mean --format xlsx\?$/],
      [['metrics', '--today', '--parquet'], /unknown flag --parquet; did you mean --format parquet\?$/],
      [['metrics', '--today', '--order-source'], /unknown flag --order-source; did you mean --by order-source\?$/],
      [['metrics', '--today', '--pdf'], /unknown flag --pdf$/],
      [
        ['menu', '--today', '--total-by', 'item'],
        /--total-by takes restaurant, date, not item; daypart totals GUID --by item adds up any report$/,
      ],
      [['--total-by', 'menus', 'menu'], /not menus; daypart totals GUID adds up any report$/],
      [['checks', '--compare', 'weekdays'], /not weekdays; daypart totals GUID adds up any report$/],
      [['metrics', '--today', '--total-by', 'item'], /--total-by takes restaurant, date, not item$/],
      [['metrics', '--compare', 'weekdays'], /not weekdays; did you mean weekday\?$/],
      [['metrics', '--today', '--today'], /given twice/],
      [['metrics', '--today=yes'], /--today has no value/],
      [['metrics', '--date'], /--date needs a value: --date D/],
    ];

    for (const [args, message] of cases) {
      await assert.rejects(
        async () => {
          const words = argsOf(...args);
          readReportQuery(words, await findTable(TABLES, words.words[0]), NOW, 'UTC');
        },
        (error: Error) => error instanceof UsageError && message.test(error.message),
        args.join(' '),
      );
    }
  });
});

describe('the end of flags', () => {
  it('lets a word begin with a dash', () => {
    const add = named('restaurants', 'add');
    assert.ok(add);
    const { words, value } = readArguments(add, ['--time-zone', 'UTC', '--', '-dash']);
    assert.deepEqual([words, value('time-zone')], [['-dash'], 'UTC']);
    assert.deepEqual(readArguments(add, ['--', '--']).words, ['--']);
    assert.throws(() => readArguments(add, ['-dash']), /unknown flag -dash/);
    assert.throws(() => readArguments(add, ['--time-zone', '--', 'x']), /--time-zone needs a value/);
    assert.throws(() => readArguments(add, ['--', 'one', '--json']), /unexpected --json/);
  });

  it('is before words that ask for no help and name no command', () => {
    assert.equal(asksHelp(named('report'), ['--today', '--', '--help']), false);
    assert.equal(named('completion', '--', 'restaurants')?.name, 'completion');
  });
});

describe('help', () => {
  it('is asked for by a word that is no value of a flag', () => {
    const requested = [
      ['-h'],
      ['--today', '-h'],
      ['--restaurant', '--help'],
      ['--restaurant', '-h'],
      ['--date', 'x'],
    ].map((args) => asksHelp(named('report'), args));

    assert.deepEqual(requested, [true, true, true, false, false]);
  });
});

describe('a flag of several words', () => {
  const totals = named('totals');
  assert.ok(totals);
  const by = (value: string) => readArguments(totals, ['G', '--by', value]);

  it('names its separator and its words where there is another separator', () => {
    const takes = /--by takes restaurant, date, weekday, .*modifier, several separated by commas, not /;
    for (const [value, not] of [
      ['restaurant;date', '"restaurant;date"; did you mean restaurant,date?'],
      ['restaurant date', '"restaurant date"; did you mean restaurant,date?'],
      ['restaurant,,date', '"restaurant,,date"; did you mean restaurant,date?'],
      [',', '","'],
      ['restaurant;dat', 'dat; did you mean date?'],
      ['wekday', 'wekday; did you mean weekday?'],
    ] as const)
      assert.throws(
        () => by(value),
        ({ message }: Error) => takes.test(message) && message.endsWith(`not ${not}`),
        value,
      );
    assert.doesNotThrow(() => by('restaurant, menu-group,date'));
  });
});

describe('the end of a command', () => {
  it('names --timeout if there is one, in full sentences', () => {
    const late = new DeadlineError('late');

    const lines = [
      endingOf(late, { command: named('report') }).lines[1],
      endingOf(late, { command: named('restaurants') }).lines[1],
      endingOf(late, { guid: 'G', again: 'Run it again', command: named('report') }).lines[1],
    ];

    assert.deepEqual(lines, [
      '  Run the same command again, or give it more time with --timeout SECONDS.',
      '  Run the same command again.',
      '  Run it again, or give it more time with --timeout SECONDS.',
    ]);
  });

  it('lists the fields of an error in any shape, without control sequences for the terminal', () => {
    const errors = [
      null,
      'x',
      {},
      { fieldName: 'a', message: 'b\u001b[2J' },
      { pointer: '/c', message: 'old' },
      { pointer: '', message: 'e' },
    ];

    const { code, lines } = endingOf(
      new InvalidRequestError('bad\u0007', { errors: errors as never[], requestId: '\u009b' }),
    );

    assert.equal(code, 2);
    assert.deepEqual(lines.slice(0, 4), ['daypart: bad\ufffd', '  a: b\ufffd[2J', '  c: old', '  e']);
    assert.equal(lines.at(-1), '  Request id: \ufffd');
  });
});

describe('a restaurant', () => {
  const named = ['Night Owl Tavern', 'Night Train', 'Café  Zoë', 'Night Owl Tavern Annex', 'Twin', 'Twin'].map(
    (restaurantName, at) => ({
      restaurantGuid: `0d000000-0000-4000-8000-00000000000${at}`,
      restaurantName,
      active: true,
      testMode: false,
      archived: false,
    }),
  );
  const found = (typed: string): string => findRestaurant(typed, named).slice(-1);

  it('is found by its name, a beginning that only it has, or its GUID', () => {
    const places = ['night owl tavern', 'NIGHT T', 'cafe\u0301 zoë', '0D000000-0000-4000-8000-000000000007'].map(found);

    assert.deepEqual(places, ['0', '1', '2', '7']);
  });

  it('that may be several, or none, is answered with their names', () => {
    assert.throws(() => found('night'), /"night" may be "Night Owl Tavern", "Night Train", "Night Owl Tavern Annex"/);
    assert.throws(() => found('Nihgt Owl'), /no restaurant is called "Nihgt Owl"; the nearest: "Night Owl Tavern"/);
    assert.throws(() => found('Twin'), /2 restaurants are called "Twin"; name it by its GUID: 0d0/);
  });
});
