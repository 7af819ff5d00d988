/** Icons of 16 units with strokes of 1.5. Each is beside text or on a control with a name. */

const PATHS = {
  overview: 'M2.5 13.5v-5M6.2 13.5v-11M9.8 13.5v-8M13.5 13.5v-6',
  restaurants: 'M2.5 6.5 3.5 3h9l1 3.5M2.5 6.5h11M3.5 6.5v7h9v-7M6.5 13.5v-4h3v4',
  compare: 'M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.5 11 13l2.5-2.5',
  labour: 'M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M3 13.5c.4-2.6 2.4-4 5-4s4.6 1.4 5 4',
  menu: 'M3 2.5v4.5a2 2 0 0 0 4 0V2.5M5 2.5v11M11 13.5v-5h-1.5v-3.5c0-1.5.8-2.5 2.5-2.5v11',
  reports: 'M4 2h5.5L12.5 5v9h-8.5zM9.5 2v3h3M6 8.5h4.5M6 11h4.5',
  data: 'M2.5 4c0-1.1 2.5-2 5.5-2s5.5.9 5.5 2-2.5 2-5.5 2-5.5-.9-5.5-2M2.5 4v8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2V4M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2',
  access: 'M5.5 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M7.7 8.3l5.8-5.8M11 5l1.8 1.8',
  health: 'M1.5 8.5h3l1.8-5 3 9 1.9-4h3.3',
  docs: 'M8 3.5v10M2 3h4.5L8 3.8 9.5 3H14v10H9.5L8 13.8 6.5 13H2z',
  more: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  previous: 'M9.5 4.5 6 8l3.5 3.5',
  next: 'M6.5 4.5 10 8l-3.5 3.5',
  open: 'M4.5 6.5 8 10l3.5-3.5',
  export: 'M8 2.5v7.5M5 7.5 8 10.5l3-3M2.5 11v2.5h11V11',
  table: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.5 3v10',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3l3.2 3.2',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  filter: 'M3 3h10L9.3 8v5L6.7 11.5V8z',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 7.5v3.5M8 5v.1',
  close: 'M4 4l8 8M12 4l-8 8',
  upload: 'M8 11V3M5 6l3-3 3 3M2.5 11v2.5h11V11',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

export const Arrow = ({ up }: { up: boolean }) => (
  <svg viewBox="0 0 10 10" aria-hidden="true">
    <path d={up ? 'M5 1.5 9.3 8.5H.7z' : 'M5 8.5.7 1.5h8.6z'} />
  </svg>
);
