/** Liveness, readiness and version, OpenMetrics, log lines and traces of requests. */
