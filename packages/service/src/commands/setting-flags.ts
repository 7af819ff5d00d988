/** The settings of the service, as flags of a command and as rows of a table. */

import type { Flag } from '@daypart/cli';
import { fileVariableOf, flagOf, SETTING_NAMES, SETTINGS, type SettingName, variableOf } from '../config/config.ts';
import { FORMER, FORMER_NAMES } from '../config/former-settings.ts';

function shownDefault(name: SettingName): string {
  const setting: { default: unknown; defaultText?: string } = SETTINGS[name];
  if (setting.defaultText) return setting.defaultText;
  return typeof setting.default === 'boolean' ? (setting.default ? 'on' : 'off') : String(setting.default);
}

/** Flag, variable, default and help of every setting. */
export const settingsTable = (): {
  flag: string;
  variable: string;
  fileVariable: string | undefined;
  default: string;
  help: string;
}[] =>
  SETTING_NAMES.map((name) => ({
    flag: flagOf(name),
    variable: variableOf(name),
    fileVariable: fileVariableOf(name),
    default: shownDefault(name),
    help: SETTINGS[name].help,
  }));

/** Every setting as a flag. */
export const SETTING_FLAGS: readonly Flag[] = SETTING_NAMES.map((name) => ({
  name: flagOf(name).slice(2),
  setting: name,
  help: `${SETTINGS[name].help} (${shownDefault(name)})`,
  ...(typeof SETTINGS[name].default === 'boolean' ? {} : { value: 'VALUE' }),
  ...(name === 'data' ? { kind: 'file' as const } : {}),
}));

/** Flags with former names, which are still accepted but not documented. */
export const FORMER_FLAGS: readonly Flag[] = FORMER.map((former) => ({
  name: flagOf(former).slice(2),
  setting: former,
  deprecated: true,
  help: `deprecated: use ${flagOf(FORMER_NAMES[former])}`,
  ...(typeof SETTINGS[FORMER_NAMES[former]].default === 'boolean' ? {} : { value: 'VALUE' }),
}));
