// Checks deploy/ with the programs that would read it, and its names against those of the server.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { HEALTH } from '../../mock-server/src/control/health.ts'
import { blockOf } from '../../mock-server/src/door/client.ts'
import { readSettings, SETTINGS } from '../../mock-server/src/hosted/settings.ts'
import { type Described, METRICS, METRICS_PATH } from '../../mock-server/src/metrics/catalogue.ts'
import { TRACING } from '../../mock-server/src/tracing/settings.ts'
import { ROOT } from '../../scripts/repository.ts'
import { programs as compose } from '../../scripts/toolchain/compose.ts'
import { programs as python } from '../../scripts/toolchain/languages/python.ts'

const DEPLOY = join(ROOT, 'deploy')
/** How every metric of this server begins, but those of its runtime. */
const [PREFIX = ''] = /^.*_mock_/.exec(Object.keys(METRICS)[0] ?? '') ?? []
/** The names of the settings that no other program has. */
const OWN = SETTINGS.filter((name) => name.includes('_MOCK_'))
const MANIFESTS = globSync('kubernetes/*.yaml', { cwd: DEPLOY }).sort()
const ALERTS = 'prometheus/alerts.yml'
const DASHBOARD = 'grafana/dashboards/sandbox.json'

// biome-ignore lint/suspicious/noExplicitAny: the programs that read them check their shapes
type Parsed = any

const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')
const resources: Parsed[] = MANIFESTS.filter(
  (path) => !path.endsWith('kustomization.yaml'),
).flatMap((path) => parseAllDocuments(read(path)).map((document) => document.toJS()))
const alerts: Parsed[] = parse(read(ALERTS)).groups.flatMap(({ rules }: Parsed) => rules)
const panels: Parsed[] = JSON.parse(read(DASHBOARD)).panels
const expressions: string[] = [
  ...alerts.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }: Parsed) => expr)),
]

function runs(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: DEPLOY, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind)
const composed = () => {
  const { status, output } = runs(
    compose.compose,
    '-no-interpolation',
    '-format',
    'json',
    'compose.yaml',
  )
  expect(status, output).toBe(0)
  return JSON.parse(output)
}

describe('the image', () => {
  it('passes hadolint', () => {
    expect(runs(python.hadolint, 'Dockerfile')).toEqual({ status: 0, output: '' })
  })

  it('runs the command as another user than root, and without a shell', () => {
    const stages = read('Dockerfile').split(/^FROM /m)
    const last = stages.at(-1) ?? ''
    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(last).toMatch(/^CMD \["serve", "--hosted", /m)
    expect(last).not.toMatch(/^RUN /m)
    expect(last).toContain(HEALTH.ready)
  })
})

describe('compose.yaml', () => {
  it('is a Compose file', () => {
    const { services } = composed()
    expect(Object.keys(services).sort()).toEqual(
      expect.arrayContaining(['api', 'database', 'worker']),
    )
  })

  it('gives the processes the settings that they need, and nothing to write to', () => {
    const { api, worker } = composed().services
    for (const { environment, read_only, cap_drop } of [api, worker]) {
      expect([...SETTINGS, ...TRACING]).toEqual(expect.arrayContaining(Object.keys(environment)))
      expect(Object.keys(environment)).toEqual(expect.arrayContaining(OWN))
      expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] })
    }
  })
})

describe('kubernetes/', () => {
  it.each(MANIFESTS.filter((path) => !path.endsWith('kustomization.yaml')))(
    '%s follows the schemas of Kubernetes',
    (path) => {
      const { status, output } = runs(python['kubernetes-validate'], '--strict', path)
      expect(status, output).toBe(0)
    },
  )

  it('is all in the kustomization', () => {
    const { resources } = parse(read('kubernetes/kustomization.yaml'))
    expect(resources.map((name: string) => `kubernetes/${name}`).sort()).toEqual(
      MANIFESTS.filter((path) => !path.endsWith('kustomization.yaml')),
    )
  })

  it.each(['api', 'worker'])('runs the role %s with probes, limits and no privileges', (role) => {
    const [deployment] = ofKind('Deployment').filter(({ spec }) =>
      spec.template.spec.containers[0].args.join(' ').includes(`--role ${role}`),
    )
    const { spec, metadata } = deployment.spec.template
    const [container] = spec.containers
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { path: HEALTH.live } },
      readinessProbe: { httpGet: { path: HEALTH.ready } },
      resources: { requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } },
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    })
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(metadata.annotations['prometheus.io/path']).toBe(METRICS_PATH)
    const { name } = deployment.metadata
    expect(ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name)).toContain(name)
    const [scaler] = ofKind('HorizontalPodAutoscaler').filter(
      ({ spec }) => spec.scaleTargetRef.name === name,
    )
    expect(scaler.spec.minReplicas).toBeGreaterThan(1)
  })

  it('counts sign-ups by the address that the ingress forwards', () => {
    const args = ofKind('Deployment').map(({ spec }) => spec.template.spec.containers[0].args)
    const [api] = args.filter((one) => one.includes('api'))
    const [, block] = /--trust-proxy (\S+)/.exec(api.join(' ')) ?? []
    expect(() => blockOf(block ?? '')).not.toThrow()
  })

  it('selects what there is', () => {
    const labels: Parsed[] = ofKind('Deployment').map(({ spec }) => spec.template.metadata.labels)
    const selectors = resources.flatMap(({ kind, spec }) => {
      if (kind === 'NetworkPolicy') return [spec.podSelector.matchLabels]
      if (kind === 'PodDisruptionBudget') return [spec.selector.matchLabels]
      return kind === 'Service' ? [spec.selector] : []
    })
    expect(selectors.length).toBeGreaterThan(0)
    for (const selector of selectors) {
      expect(labels).toContainEqual(expect.objectContaining(selector))
    }
  })

  it('scales the workers by a metric of the server', () => {
    const scaled = ofKind('HorizontalPodAutoscaler').flatMap(({ spec }) => spec.metrics)
    const names = scaled.flatMap(({ external }) => external?.metric.name ?? [])
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      expect(Object.keys(METRICS)).toContain(name)
      expect(read('prometheus/adapter.yaml')).toContain(name)
    }
  })
})

describe('Prometheus and Grafana', () => {
  it.each(expressions)('can read %s', (expression) => {
    const wrong: string[] = []
    parser.parse(expression).iterate({
      enter: ({ type, from, to }) => {
        if (type.isError) wrong.push(expression.slice(from, to + 10))
      },
    })
    expect(wrong).toEqual([])
  })

  it('ask for metrics and labels that the server has', () => {
    const used = expressions.flatMap((expression) => [
      ...expression.matchAll(/\b(\w+_mock_\w+)(?:\{([^}]*)\})?/g),
    ])
    expect(used.length).toBeGreaterThan(0)
    for (const [, name = '', matchers = ''] of used) {
      const described = describedBy(name)
      for (const [, label = '', value = ''] of matchers.matchAll(/(\w+)="(.*?)"/g)) {
        expect(described.labels?.[label], `${name}{${label}}`).toContain(value)
      }
    }
  })

  it('show every metric of the server', () => {
    const shown = expressions.join('\n')
    expect(Object.keys(METRICS).filter((name) => !shown.includes(name))).toEqual([])
  })

  it('name a runbook that exists for every alert', () => {
    for (const { alert, annotations, labels } of alerts) {
      const [path = '', anchor] = annotations.runbook.split('#')
      const headings = [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^#+ (.*)$/gm)]
      const anchors = headings.map(([, text = '']) => text.toLowerCase().replaceAll(' ', '-'))
      expect(anchors, alert).toContain(anchor)
      expect(['page', 'ticket']).toContain(labels.severity)
    }
  })

  it('scrape where the metrics are', () => {
    const { scrape_configs } = parse(read('prometheus/prometheus.yml'))
    expect(scrape_configs).toEqual([expect.objectContaining({ metrics_path: METRICS_PATH })])
  })

  it('place no panel over another', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
  })
})

describe('docs/operating.md', () => {
  const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')

  it('lists all metrics with their labels, and all settings', () => {
    const rows = new Map(
      [...page.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, name, cell = '']) => [name, cell]),
    )
    for (const [name, { labels = {} }] of Object.entries<Described>(METRICS)) {
      expect(rows.get(name)?.match(/`(\w+)`:/)?.[1], name).toBe(Object.keys(labels)[0])
    }
    for (const name of SETTINGS) expect([...rows.keys()]).toContain(name)
  })
})

describe('all of it', () => {
  const files = globSync('**/*', { cwd: DEPLOY, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

  it.each(files)('%s names settings and paths that the server has', (path) => {
    const text = readFileSync(path, 'utf8')
    const settings = text.match(/\b(?:\w+_MOCK_[A-Z_]*[A-Z]|DATABASE(?:_DIRECT)?_URL)\b/g) ?? []
    const paths = text.match(/\/_mock\/(?:health|metrics)[/\w]*/g) ?? []
    expect(SETTINGS).toEqual(expect.arrayContaining(settings))
    expect([...Object.values(HEALTH), METRICS_PATH]).toEqual(expect.arrayContaining(paths))
  })

  it('is a complete set of settings in the example of README.md', () => {
    const [, example = ''] = /```ini\n(.*?)```/s.exec(read('README.md')) ?? []
    const given = Object.fromEntries(
      example.split('\n').flatMap((line) => {
        const at = line.indexOf('=')
        return at < 0 || line.startsWith('#') ? [] : [[line.slice(0, at), line.slice(at + 1)]]
      }),
    )
    const settings = readSettings({ DATABASE_URL: 'postgresql://mock@127.0.0.1/mock', ...given })
    expect(settings.publicUrl).toBe('https://sandbox.example.com')
  })

  it('has recipes of hosts that are well-formed', () => {
    const recipes = [...read('README.md').matchAll(/```(yaml|json)\n(.*?)```/gs)]
    expect(recipes.length).toBeGreaterThan(0)
    for (const [, language, text = ''] of recipes) {
      if (language === 'json') JSON.parse(text)
      else expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([])
    }
  })
})

/** The metric that a series belongs to: histograms have several. */
function describedBy(series: string): Described {
  const name = series.replace(/_(?:bucket|sum|count)$/, '')
  const [, found] = Object.entries(METRICS).find(([known]) => known === name) ?? []
  if (!found) throw new Error(`there is no metric ${series}, only those of ${PREFIX}`)
  return found
}
