/**
 * Requests by route and status, and their time, counted in plain numbers that are passed to the registry when it is
 * read. Validating and hashing labels for each request took some 5 % of a small retrieval.
 */
import { Counter, Histogram, type OpenMetricsContentType, type Registry } from 'prom-client';

const BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

interface Route {
  statuses: Map<number, number>;
  /** Requests in each bucket alone; the last counts those above every bound. */
  buckets: number[];
  sum: number;
  count: number;
}

/** A line of a metric; `metricName` where it is not the metric's own. */
interface ShownValue {
  metricName?: string;
  labels: Record<string, string | number>;
  value: number;
}

/** Registers `daypart_requests` and `daypart_request_seconds`; returns a function that counts a request. */
export function tallyRequests(
  registry: Registry<OpenMetricsContentType>,
): (route: string, status: number, seconds: number) => void {
  const routes = new Map<string, Route>();
  const registers = [registry];
  function show(type: 'counter' | 'histogram', name: string, help: string, values: () => ShownValue[]): void {
    const metric =
      type === 'counter' ? new Counter({ name, help, registers }) : new Histogram({ name, help, registers });
    // The registry reads a metric by this method where it has one.
    Object.assign(metric, { getForPromString: async () => ({ name, help, type, values: values() }) });
  }

  show('counter', 'daypart_requests', 'Requests by route and status; 499 is a client that left', () =>
    [...routes].flatMap(([route, { statuses }]) =>
      [...statuses].map(([status, value]) => ({ labels: { route, status }, value })),
    ),
  );
  show('histogram', 'daypart_request_seconds', 'Time to the end of the answer, waiting included', () =>
    [...routes].flatMap(([route, { buckets, sum, count }]) => {
      let below = 0;
      const bounds = [...BOUNDS, '+Inf'].map((le, at) => {
        below += buckets[at] ?? 0;
        return { metricName: 'daypart_request_seconds_bucket', labels: { le, route }, value: below };
      });
      return [
        ...bounds,
        { metricName: 'daypart_request_seconds_sum', labels: { route }, value: sum },
        { metricName: 'daypart_request_seconds_count', labels: { route }, value: count },
      ];
    }),
  );

  return (name, status, seconds) => {
    let route = routes.get(name);
    if (!route) {
      route = { statuses: new Map(), buckets: new Array(BOUNDS.length + 1).fill(0), sum: 0, count: 0 };
      routes.set(name, route);
    }
    route.statuses.set(status, (route.statuses.get(status) ?? 0) + 1);
    const above = BOUNDS.findIndex((bound) => seconds <= bound);
    const bucket = above < 0 ? BOUNDS.length : above;
    route.buckets[bucket] = (route.buckets[bucket] ?? 0) + 1;
    route.sum += seconds;
    route.count++;
  };
}
