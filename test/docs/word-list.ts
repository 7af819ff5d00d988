/** The words of docs/style.md#words, with the pattern that finds each in docs, messages and help. */

export interface Word {
  /** As docs/style.md has it. */
  not: string;
  write: string;
  /** What the test looks for. Flags are added by the test: global, ignoring case. */
  pattern: RegExp;
  /** A sentence that the pattern must find. */
  caught: string;
  /** A sentence with the same words that is plain English. */
  fine?: string;
}

export const WORDS: readonly Word[] = [
  {
    not: 'a token has ended',
    write: 'has expired',
    pattern:
      /\b(tokens?|credentials?|certificates?|GUIDs?)\b[^.|]{0,30}\b(has|have|had|that) ended\b|\bmalformed, has ended\b/,
    caught: 'The access token has ended.',
    fine: 'Wait until the load has ended.',
  },
  {
    not: 'is needed (of a parameter)',
    write: 'is required',
    pattern: /\b(is|are) needed\b|\| needed \|/,
    caught: 'The name is needed.',
    fine: 'You need the base URL of a service.',
  },
  {
    not: 'goes before, counts for more than',
    write: 'takes precedence over',
    pattern:
      /\bcounts? for more than\b|\bgoes\s+before the (reference|environment|header)\b|\bbeats? (the|that|profiles)\b/,
    caught: '`format` counts for more than `Accept`.',
    fine: 'The block goes before it as a comment.',
  },
  {
    not: 'goes on (of a download, a list, a load)',
    write: 'resumes, continues',
    pattern: /\b(go|goes|went|going) on\b(?! (the|a|its|to)\b)|\bgo(es)?\s+on working\b/,
    caught: 'A download that was cut goes on with -C -.',
    fine: 'Calls go out directly.',
  },
  {
    not: 'calls off, called off',
    write: 'cancels, cancelled',
    pattern: /\bcall(s|ed|ing)? (it |them |this )?off\b/,
    caught: 'Ctrl-C calls it off.',
    fine: 'Each call offers a choice.',
  },
  {
    not: 'gives up, given up',
    write: 'aborts, stops retrying, is dropped',
    pattern: /\b(give|gives|gave|given|giving) (it |them )?up\b/,
    caught: 'What else waited is given up.',
    fine: 'The limit gives each client a quota.',
  },
  {
    not: 'held against, hold … against',
    write: 'verified against, compared with',
    pattern: /\bheld against\b|\bhold(s|ing)? (\S+ ){1,7}against\b/,
    caught: 'Every file is held against `backup.json`.',
    fine: 'A proxy can be configured against overload.',
  },
  {
    not: 'tells, told (of a program)',
    write: 'says, reports, is notified',
    pattern: /\b(tells?|told|untold)\b/,
    caught: 'Every answer tells where its client stands.',
    fine: 'The title of the page is shown.',
  },
  {
    not: 'stands (of a value, a version, a row)',
    write: 'is, remains, is current',
    pattern: /\b(stands?|stood)\b(?!\s+(for|out)\b)(?!-)|\bstands for it\b/,
    caught: 'A payment that was voided does not stand.',
    fine: '`…` stands for anything, on a standalone line. Two figures stand out.',
  },
  {
    not: 'coded, a coding',
    write: 'compressed, a content encoding',
    pattern: /\b(the|a|an|of|in a|another|other|its|large) cod(ing|ed)( form| one| bytes|\b)|\bcodings\b|\bwas coded\b/,
    caught: 'The first who asks for a large form in a coding waits.',
    fine: 'Values are URL-encoded.',
  },
  {
    not: 'press (a file)',
    write: 'compress',
    pattern: /\b(is|are|was|were|be|being) pressed\b|\bpress(es|ing) (the|a|it|large|forms?)\b/,
    caught: 'While the form is pressed, others wait.',
    fine: 'Press Ctrl-C to cancel; it is compressed.',
  },
  {
    not: 'is none, are none',
    write: 'does not exist, is not one',
    pattern: /(?<!\b(there|as|who) )\b(is|are|was|were) none\b(?! of\b)/,
    caught: 'Use that in browsers, where a secret is none.',
    fine: 'If there is none, the answer is 404.',
  },
  {
    not: 'anew',
    write: 'again',
    pattern: /\banew\b/,
    caught: 'Counts begin anew when the service starts.',
    fine: 'A new count begins.',
  },
  {
    not: 'is not known here',
    write: 'unknown',
    pattern: /\bknown here\b/,
    caught: '/x is not known here; a, b are.',
    fine: 'The names known to the service are listed here.',
  },
  {
    not: 'looks at (of a program), one look',
    write: 'checks, polls',
    pattern: /\b(is|are|was|were) looked at\b|\bone look\b/,
    caught: 'The disk is looked at first.',
    fine: 'Look at the table below.',
  },
  {
    not: 'whoever, whatever is …',
    write: 'the caller, anyone who, everything that',
    pattern: /\bwhoever\b|\bwhosoever\b/,
    caught: 'Whoever rotates again shortens nothing.',
    fine: 'Anyone who rotates the secret gets a new one.',
  },
  {
    not: 'so many … and no more',
    write: 'at most',
    pattern: /\bso many\b[^.]{0,40}\b(and no more|each)\b|\band no more\b/,
    caught: 'The service takes so many calls and no more.',
    fine: 'There are so many restaurants that a table is too long.',
  },
  {
    not: 'upkeep, tidying',
    write: 'maintenance, cleanup',
    pattern: /\bupkeep\b|\btid(y|ies|ied|ying)\b/,
    caught: 'Tidying runs once an hour.',
    fine: 'The tide turns at noon.',
  },
  {
    not: 'outside issuer',
    write: 'external issuer',
    pattern: /\boutside (issuers?|tokens?|client)\b/,
    caught: 'Tokens of an outside issuer are accepted.',
    fine: 'A GUID outside your management group is unknown.',
  },
  {
    not: 'day sheets, sheets',
    write: 'daily rollups, rollups',
    pattern: /\b(day|labour) sheets?\b|\bsheets?\b(?= (per|that|before|of a day))|\bfrom sheets\b/,
    caught: 'Reports by day are added up from sheets (per restaurant).',
    fine: 'Spreadsheets read the file.',
  },
  {
    not: 'put together, brought to disk',
    write: 'assembled, flushed to disk',
    pattern: /\b(is|are|was) put together\b|\bbrought to disk\b/,
    caught: 'It is put together in a folder and brought to disk.',
    fine: 'Put both files into one folder.',
  },
  {
    not: 'would not mend, mends',
    write: 'cannot help, repairs',
    pattern: /\bmend(s|ed|ing)?\b/,
    caught: 'At once where waiting would not mend it.',
    fine: 'We recommend a proxy.',
  },
  {
    not: 'another than, others than',
    write: 'does not match, differs from',
    pattern: /\b(is|are) (another|others) than\b/,
    caught: 'The form is another than If-Match names.',
    fine: 'Values other than these are rejected.',
  },
  {
    not: 'ask on',
    write: 'pass the cursor',
    pattern: /\bask on (with|until)\b/,
    caught: 'Ask on with `cursor` until it is null.',
    fine: 'Ask for the next page with a cursor.',
  },
  {
    not: "people's words",
    write: 'plain dates, plain words',
    pattern: /\bpeople['’]s words\b/,
    caught: "Ask in people's words.",
    fine: 'Dates in plain words.',
  },
  {
    not: 'is at it, at work on it',
    write: 'in progress',
    pattern: /\b(service|it) is at it\b/,
    caught: 'The service is at it: backup.',
    fine: 'The command is at its end.',
  },
  {
    not: 'has gone (of a path)',
    write: 'has been removed',
    pattern: /\b(path|operation|file|address) has gone\b/,
    caught: 'The deprecated path has gone.',
    fine: 'The client has gone away.',
  },
  {
    not: 'left out (of a parameter)',
    write: 'optional, the default is …',
    pattern: /\| Left out \||\bmay be left out\b|\bleave it out\b/,
    caught: '`endBusinessDate` may be left out for `day`.',
    fine: 'Test restaurants are left out of the report.',
  },
  {
    not: 'how … are called, what … is called',
    write: 'the names of …',
    pattern: /\bhow your \w+ are called\b/,
    caught: 'The file says how your columns are called.',
    fine: 'How your webhook is called: by POST.',
  },
  {
    not: 'is there already, are there already',
    write: 'already exists',
    pattern: /\b(is|are|be) there already\b|\bmust not be there yet\b|\bmust be there\b/,
    caught: 'checks.parquet is there already.',
    fine: 'There are already two.',
  },
  {
    not: 'makes of it, nothing is made of it',
    write: 'creates, is not processed',
    pattern: /\bnothing is made of\b|\bfolder of it\b/,
    caught: 'The key is reused, and nothing is made of it.',
    fine: 'Reports are made of rows.',
  },
  {
    not: 'nothing of it is kept, was kept',
    write: 'nothing in it was stored',
    pattern: /\bnothing of (it|them|that|the body|a body) (is|was|are|were|had been)\b/,
    caught: 'Nothing of it was kept.',
    fine: 'Nothing in the body was stored.',
  },
  {
    not: 'goes away, comes back (of a program)',
    write: 'disconnects, reconnects',
    pattern: /\bcom(e|es) back with\b|\b(client|caller) (goes|went|has gone) away\b/,
    caught: 'The client went away.',
    fine: 'The order comes back on the new date.',
  },
  {
    not: 'for want of, as … has it',
    write: 'because … is missing, according to',
    pattern: /\bfor want of\b|\bas RFC \d+ has it\b/,
    caught: 'It fails for want of a file.',
    fine: 'If you want a file, pass --output.',
  },
  {
    not: 'is away (of a store, a server)',
    write: 'is unavailable',
    pattern: /\b(stores?|servers?|services?|PostgreSQL|ClickHouse|ledger|bucket) (is|are|was|were) away\b/,
    caught: 'Calls are answered 503 while PostgreSQL is away.',
    fine: 'The server is a week away from its limit.',
  },
  {
    not: 'answers whether, answers how many (of a function)',
    write: 'returns whether, the number of',
    pattern: /\bAnswers (whether|how many)\b|\bAnswers how to stop\b/,
    caught: 'Answers whether it changed anything.',
    fine: 'The service answers 404.',
  },
  {
    not: 'for good, good once',
    write: 'permanently, can be used once',
    pattern: /\bfor good\b(?! reasons?)|\bgood (once|for a minute)\b/,
    caught: 'The link is good once.',
    fine: 'UUIDs are good keys.',
  },
  {
    not: 'keeps nothing of, knows nothing of',
    write: 'stores nothing from, does not know',
    pattern: /\b(keeps?|knows?) nothing of\b/,
    caught: 'It keeps nothing of a broken body.',
    fine: 'It keeps the body for an hour.',
  },
];
