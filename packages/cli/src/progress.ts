/** Shows progress on standard error, for people at a terminal; nothing if it is piped. */
import { styleText } from 'node:util';
import { cutText, shownText } from './cells.ts';
import type { Environment, Output } from './effects.ts';

export interface Spinner {
  /** Shows another text from now on. */
  say(text: string): void;
  /** The same for text that must be shown without a spinner too, on a line of its own. */
  announce(text: string): void;
  /** Removes the line. May be called twice. */
  stop(): void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;

/** A terminal that can only be written to. */
const isDumb = ({ TERM }: Environment): boolean => TERM === 'dumb';

/** A line with a spinner until it is stopped. */
export function openSpinner(text: string, stream: Output, env: Environment): Spinner {
  if (!stream.isTTY || isDumb(env)) {
    return { say: () => undefined, stop: () => undefined, announce: (line) => void stream.write(`${line}.\n`) };
  }
  const beganAt = performance.now();
  let [shown, frame] = [text, 0];
  const draw = (): void => {
    const seconds = Math.floor((performance.now() - beganAt) / 1000);
    const line = cutText(`${shown}${seconds > 0 ? ` ${seconds} s` : ''}`, (stream.columns || 80) - 3);
    stream.write(`\r\x1b[2K${styleText('cyan', FRAMES[frame++ % FRAMES.length] ?? '', { stream })} ${line}`);
  };
  draw();
  const timer = setInterval(draw, FRAME_MS).unref();
  let stopped = false;
  const say = (next: string): void => {
    shown = shownText(next);
  };
  return {
    say,
    announce: say,
    stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      stream.write('\r\x1b[2K');
    },
  };
}

/** `12.3 MB`. */
export function shownBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [unit, size] = bytes < 1e6 ? ['kB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
  return `${(bytes / Number(size)).toFixed(1)} ${unit}`;
}
