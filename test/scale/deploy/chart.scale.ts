/** The objects of the Helm chart, checked field by field, because there is no cluster here that would refuse them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileVariableOf, SETTINGS, type SettingName, variableOf } from '../../../packages/service/src/config/config.ts';
import { type Chart, NO_GO, openChart, type Rendered } from './chart.ts';

/**
 * Fields of Kubernetes' objects, as far as the chart uses them: a name that is misspelt is refused by a cluster, or
 * ignored.
 */
const FIELDS: Record<string, readonly string[]> = {
  pod: [
    'serviceAccountName',
    'automountServiceAccountToken',
    'securityContext',
    'terminationGracePeriodSeconds',
    'containers',
    'volumes',
    'restartPolicy',
    'nodeSelector',
    'tolerations',
    'affinity',
  ],
  podSecurity: ['runAsNonRoot', 'runAsUser', 'runAsGroup', 'fsGroup', 'seccompProfile'],
  container: [
    'name',
    'image',
    'imagePullPolicy',
    'args',
    'env',
    'ports',
    'startupProbe',
    'livenessProbe',
    'readinessProbe',
    'resources',
    'securityContext',
    'volumeMounts',
  ],
  containerSecurity: ['allowPrivilegeEscalation', 'readOnlyRootFilesystem', 'capabilities'],
  probe: ['httpGet', 'periodSeconds', 'timeoutSeconds', 'failureThreshold'],
  deployment: ['replicas', 'strategy', 'selector', 'template'],
  job: ['backoffLimit', 'template'],
  service: ['type', 'selector', 'ports'],
  disruption: ['maxUnavailable', 'selector'],
  scaler: ['scaleTargetRef', 'minReplicas', 'maxReplicas', 'metrics'],
};
const API: Record<string, string> = {
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  Service: 'v1',
  ServiceAccount: 'v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  PodMonitor: 'monitoring.coreos.com/v1',
};

const only = (of: Rendered, name: string): void => {
  for (const field of Object.keys(of)) assert.ok(FIELDS[name]?.includes(field), `${name} has no field ${field}`);
};
const byKind = (objects: Rendered[], kind: string): Rendered => objects.find((one) => one.kind === kind);
const ALL = {
  autoscaling: { enabled: true },
  metrics: { podMonitor: true },
  bootstrapSecret: 'first-client',
  publicUrl: 'https://reports.example.com',
  settings: { DAYPART_LOG_LEVEL: 'warn' },
  podAnnotations: { team: 'reports' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'reports', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/reports' } },
};

describe('the Helm chart', { skip: NO_GO }, () => {
  let chart: Chart;
  before(() => {
    chart = openChart();
  });
  after(() => chart?.close());
  const podOf = (objects: Rendered[], kind: string): Rendered => byKind(objects, kind).spec.template.spec;

  for (const [title, values] of Object.entries({ 'by default': {}, 'with everything set': ALL }))
    it(`makes objects that Kubernetes knows, ${title}`, () => {
      const objects = chart.objects(values);
      const kinds = ['Deployment', 'Job', 'Service', 'ServiceAccount', 'PodDisruptionBudget'];
      const more = values === ALL ? ['HorizontalPodAutoscaler', 'PodMonitor'] : [];
      assert.deepEqual(objects.map(({ kind }) => kind).sort(), [...kinds, ...more].sort());
      for (const { kind, apiVersion, metadata } of objects) {
        assert.equal(apiVersion, API[kind]);
        assert.match(metadata.name, /^reports(-migrate)?$/);
        for (const label of Object.values(metadata.labels)) assert.match(String(label), /^[\w.-]{1,63}$/);
      }
      for (const kind of ['Deployment', 'Job']) {
        const pod = podOf(objects, kind);
        only(pod, 'pod');
        only(pod.securityContext, 'podSecurity');
        for (const container of pod.containers) {
          only(container, 'container');
          only(container.securityContext, 'containerSecurity');
          assert.match(container.image, /^daypart:\d+\.\d+\.\d+(?:-rc\.\d+)?$/);
          for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
            if (container[probe]) only(container[probe], 'probe');
        }
      }
      only(byKind(objects, 'Deployment').spec, 'deployment');
      only(byKind(objects, 'Job').spec, 'job');
      only(byKind(objects, 'Service').spec, 'service');
      only(byKind(objects, 'PodDisruptionBudget').spec, 'disruption');
      if (more.length > 0) only(byKind(objects, 'HorizontalPodAutoscaler').spec, 'scaler');
    });

  it('selects its own pods, and names ports that they have', () => {
    const objects = chart.objects(ALL);
    const { labels } = byKind(objects, 'Deployment').spec.template.metadata;
    const selectors = [
      byKind(objects, 'Deployment').spec.selector.matchLabels,
      byKind(objects, 'Service').spec.selector,
      byKind(objects, 'PodDisruptionBudget').spec.selector.matchLabels,
      byKind(objects, 'PodMonitor').spec.selector.matchLabels,
    ];
    for (const selector of selectors) assert.deepEqual(selector, labels);
    // The pod of the migration answers no calls.
    assert.notEqual(byKind(objects, 'Job').spec.template.metadata.labels['app.kubernetes.io/name'], 'daypart');
    const [container] = podOf(objects, 'Deployment').containers;
    const ports = container.ports.map(({ name }: Rendered) => name);
    const named = [
      byKind(objects, 'Service').spec.ports[0].targetPort,
      byKind(objects, 'PodMonitor').spec.podMetricsEndpoints[0].port,
      ...['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet.port),
    ];
    for (const port of named) assert.ok(ports.includes(port), port);
    assert.equal(
      byKind(objects, 'HorizontalPodAutoscaler').spec.scaleTargetRef.name,
      byKind(objects, 'Deployment').metadata.name,
    );
  });

  it('gives settings that the service has, and the stores as files of a secret', () => {
    const known = new Set(
      (Object.keys(SETTINGS) as SettingName[]).flatMap((name) => [variableOf(name), fileVariableOf(name)]),
    );
    const objects = chart.objects(ALL);
    for (const kind of ['Deployment', 'Job']) {
      const pod = podOf(objects, kind);
      const [{ env, volumeMounts }] = pod.containers;
      const volumes = new Map(pod.volumes.map((volume: Rendered) => [volume.name, volume]));
      for (const { name, value } of env) {
        assert.ok(known.has(name), `${name} is not a setting`);
        assert.equal(typeof value, 'string', name);
        if (!name.endsWith('_FILE')) continue;
        const mount = volumeMounts.find(({ mountPath }: Rendered) => value.startsWith(`${mountPath}/`));
        assert.ok((volumes.get(mount.name) as Rendered).secret.secretName, name);
      }
      for (const { name } of volumeMounts) assert.ok(volumes.has(name), name);
      for (const path of ['/data', '/tmp']) {
        const { name } = volumeMounts.find(({ mountPath }: Rendered) => mountPath === path);
        assert.ok((volumes.get(name) as Rendered).emptyDir, path);
      }
      assert.deepEqual(pod.containers[0].securityContext.capabilities, { drop: ['ALL'] });
      assert.equal(pod.containers[0].securityContext.readOnlyRootFilesystem, true);
    }
  });

  it('migrates before nodes are replaced, one by one, each with time to stop', () => {
    const objects = chart.objects();
    const job = byKind(objects, 'Job');
    assert.equal(job.metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade');
    assert.deepEqual(
      [podOf(objects, 'Job').containers[0].args, podOf(objects, 'Job').restartPolicy],
      [['migrate'], 'Never'],
    );
    const { spec } = byKind(objects, 'Deployment');
    assert.deepEqual(spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
    const { terminationGracePeriodSeconds, containers } = spec.template.spec;
    const [{ env, readinessProbe }] = containers;
    const drain = Number(env.find(({ name }: Rendered) => name === 'DAYPART_DRAIN_SECONDS').value);
    // Stopping takes at most 9.5 s after it.
    assert.ok(terminationGracePeriodSeconds > drain + 9.5);
    // Waits up to 2 s for a store.
    assert.ok(readinessProbe.timeoutSeconds > 2);
    assert.equal(readinessProbe.httpGet.path, '/readyz?exclude=ledger');
    assert.equal(spec.replicas, 3);
    // An autoscaler and a number of replicas would work against each other.
    assert.equal('replicas' in byKind(chart.objects(ALL), 'Deployment').spec, false);
    assert.equal(byKind(chart.objects({ migrate: { enabled: false } }), 'Job'), undefined);
  });
});
