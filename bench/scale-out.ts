/** `npm run bench -- scale-out`: several nodes over their own servers, as in docs/scaling.md. */
import type { Figure } from './figures.ts';
import { measureAnswer } from './nodes/answer.ts';
import { startNodes } from './nodes/installation.ts';
import { measureThroughput } from './nodes/throughput.ts';
import { measureWork } from './nodes/work.ts';
import { measureYear } from './nodes/year.ts';

/**
 * `SCALE_OUT=work,answer,throughput,year` chooses parts. Throws where the server engines of test/scale are not
 * installed.
 */
export async function scaleOut(): Promise<Figure[]> {
  const chosen = process.env.SCALE_OUT?.split(',');
  const isChosen = (part: string): boolean => chosen?.includes(part) ?? true;
  const figures: Figure[] = [];
  const running = await startNodes();
  try {
    if (isChosen('work')) figures.push(...(await measureWork(running)));
    if (isChosen('answer')) figures.push(...(await measureAnswer(running)));
    if (isChosen('throughput')) figures.push(...(await measureThroughput(running)));
  } finally {
    await running.close();
  }
  if (isChosen('year')) figures.push(...(await measureYear()));
  return figures;
}
