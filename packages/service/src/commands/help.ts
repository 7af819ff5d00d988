/** The text of `daypart --help`, its settings from the one table. */
import { flagOf, SETTINGS, type SettingName, variableOf } from '../config.ts';
import { MORE_EXITS } from '../terminal/exits.ts';
import { commandLines } from '../terminal/help.ts';

const names = Object.keys(SETTINGS) as SettingName[];

const shownDefault = (name: SettingName): string => {
  const setting: { default: unknown; defaultText?: string } = SETTINGS[name];
  if (setting.defaultText) return setting.defaultText;
  return typeof setting.default === 'boolean' ? (setting.default ? 'on' : 'off') : String(setting.default);
};

/** Name, variable, default and help of every setting: for `--help` and the docs. */
export const settingsTable = (): { flag: string; variable: string; default: string; help: string }[] =>
  names.map((name) => ({
    flag: flagOf(name),
    variable: variableOf(name),
    default: shownDefault(name),
    help: SETTINGS[name].help,
  }));

const lines = settingsTable().map((row) => `  ${row.flag.padEnd(22)} ${row.help} (${row.default})`);

export const HELP = `daypart: a reporting service for restaurants

Usage
  daypart serve [settings]            run the service
  daypart demo [settings]             run it with sample restaurants, and print how to call it
  daypart clients create --group G    make credentials; also: --scopes a,b --dialect reference|live --name N --json
  daypart clients list                the clients, without their secrets; also: --json
  daypart clients revoke ID           refuse a client from now on
  daypart clients webhook ID          where it is called when its reports end; to set: --url URL --rotate-secret, or --off
  daypart keys rotate                 sign new access tokens with a new key; also: keys list
  daypart backup TO                   copy the data folder, running or not, into a new folder; also: --json
  daypart restore FROM                check a backup and make the data folder of it; also: --json
  daypart facts verify                hold what is kept besides the facts against them; also: --json
  daypart facts rebuild               compute it again, then verify; also: --json
  daypart import FOLDER --restaurant GUID
                                      load export folders (YYYYMMDD) into --data, or into a running service with
                                      --url BASE --client-id ID --client-secret SECRET (or DAYPART_CLIENT_ID and
                                      DAYPART_CLIENT_SECRET); also: --columns FILE --json
  daypart --help | --version

Reports, from a service that runs anywhere (daypart COMMAND --help shows flags and examples)
${commandLines().join('\n')}

Settings, as a flag or as an environment variable (--token-seconds is DAYPART_TOKEN_SECONDS), with defaults
${lines.join('\n')}

Exit codes: 0 done, 1 failed (import: or not everything was read), 2 misused;
of the commands for reports also ${MORE_EXITS}.`;
