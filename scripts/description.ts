/** The checked-in description of the service, and the findings of a public linter in it. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { BASES } from '../packages/service/src/mount-routes.ts';
import { describeRoutes } from '../packages/service/src/openapi/openapi.ts';
import { startJourney } from '../test/journeys/service.ts';

/** Where the service is by default: the snapshot is a description that can be used as it is. */
const ORIGIN = 'http://127.0.0.1:8080';

/** The text of docs/openapi.json, from the routes of a real service. */
export async function describeService(): Promise<string> {
  const running = await startJourney();
  try {
    return `${JSON.stringify(describeRoutes(running.service.routes, { origin: ORIGIN, bases: BASES }), null, 1)}\n`;
  } finally {
    await running.stop();
  }
}

/** What the recommended rules find, errors and warnings, a line each. */
export async function lintDescription(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  return found.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} at ${location[0]?.pointer}`,
  );
}
