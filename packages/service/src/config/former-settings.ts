/** Settings that were renamed: flags and variables with the former name are still read, with a warning. */
import type { SettingName } from './config.ts';

/**
 * Deprecated in 0.3; docs/stability.md#deprecation says how long they are read. None is a secret, so none has a file
 * variable.
 */
export const FORMER_NAMES = {
  outsideIssuer: 'externalIssuer',
  outsideAudience: 'externalAudience',
  outsideJwksUrl: 'externalJwksUrl',
  outsideGroupClaim: 'externalGroupClaim',
  outsideDialect: 'externalDialect',
} as const satisfies Record<string, SettingName>;

export type FormerName = keyof typeof FORMER_NAMES;

const isFormer = (name: string): name is FormerName => Object.hasOwn(FORMER_NAMES, name);
export const FORMER: readonly FormerName[] = Object.keys(FORMER_NAMES).filter(isFormer);

export const formerNameOf = (name: SettingName): FormerName | undefined =>
  FORMER.find((former) => FORMER_NAMES[former] === name);
