/** The kinds of point of sale that are known. Nothing else names one. */
import type { ConnectionSource } from '../source.ts';
import { toast } from './toast/toast.ts';

export const CONNECTION_SOURCES: readonly ConnectionSource[] = [toast];
