/** The scenarios of the packed client in the oldest Node that it supports; the others are in runtimes.long.ts. */
import { checkRuntimes } from './runtimes.ts';

checkRuntimes(['Node 20'], 20_000, false);
