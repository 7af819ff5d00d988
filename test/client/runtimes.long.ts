/**
 * The scenarios of the packed client in every version of Node that it supports, with answers larger than the heap, and
 * in a browser.
 */
import { checkRuntimes } from './runtimes.ts';

// 78 MB of text, which is read in a heap of 56: what is held of it is a chunk.
checkRuntimes(['Node 20', 'Node 24'], 150_000, true);
