/** The kinds of point of sale that are known. Nothing else names one. */
import type { AnySource } from '../folder-source.ts';
import { exportsSource } from './exports/exports.ts';
import { toast } from './toast/toast.ts';

export const CONNECTION_SOURCES: readonly AnySource[] = [toast, exportsSource];
