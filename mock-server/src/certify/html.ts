/** The report as a page that needs no other file. Every `${}` in a template is escaped. */
import { html, raw } from 'hono/html'
import type { Finding, Report } from './types.ts'
import { capital, LABELS, worstFirst } from './words.ts'

type Html = ReturnType<typeof html>

const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --faint: #57606a; --line: #d0d7de; --back: #fff;
  --pass: #1a7f37; --fail: #b3261e; --other: #7d4e00; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --faint: #9198a1; --line: #3d444d;
  --back: #0d1117; --pass: #3fb950; --fail: #ff7b72; --other: #d29922; } }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: var(--text); background: var(--back);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.score { font-size: 2rem; font-weight: 600; margin: 0; } .faint { color: var(--faint); }
article { border: 1px var(--line) solid; border-radius: 6px; padding: 0 1rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top;
  padding: .35rem .75rem .35rem 0; border-bottom: 1px var(--line) solid; font-weight: normal; }
thead th { font-weight: 600; } .pass { color: var(--pass); } .fail { color: var(--fail); font-weight: 600; }
.not_observable, .not_seen { color: var(--other); } code { font-size: .9em; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } }`

export function pageOf(report: Report): string {
  const { side, target, contract, tool, at, score, counts, complete, checks, timings } = report
  const failed = worstFirst(checks)
  const title = `${capital(side)} check: ${score.percent} %`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>${capital(side)} check of <code>${target}</code></h1>
<p class="score">${score.percent} %</p>
<p>${score.points} of ${score.of} points. ${counts.pass} passed, ${counts.fail} failed, ${counts.not_observable + counts.not_seen} could not be judged.</p>
${complete ? '' : html`<p class="fail">The run ended early, so that some checks were not made.</p>`}
<p class="faint">${contract.title} ${contract.version} · ${tool.name} ${tool.version} · <time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>${timings ? html` · median response ${timings.median} ms` : ''}</p>
${failed.length === 0 ? '' : html`<h2>What to do</h2>${failed.map(findingOf)}`}
<h2>All checks</h2>
<table>
<thead><tr><th scope="col">Result</th><th scope="col">Check</th><th scope="col">Severity</th><th scope="col">Seen</th></tr></thead>
<tbody>${checks.map(rowOf)}</tbody>
</table>
</main>
</body>
</html>
`
  return String(page)
}

function findingOf({ id, title, severity, sent, seen, meaning, cure, page }: Finding): Html {
  return html`<article id="${id}">
<h3>${capital(severity)}: ${title}</h3>
<dl>
<dt>Sent</dt><dd>${sent}</dd>
<dt>Seen</dt><dd>${seen}</dd>
<dt>Means</dt><dd>${meaning}</dd>
<dt>Do</dt><dd>${cure}</dd>
<dt>Page</dt><dd><code>${page}</code></dd>
</dl>
</article>`
}

function rowOf({ verdict, title, severity, seen }: Finding): Html {
  return html`<tr><td class="${verdict}">${capital(LABELS[verdict].toLowerCase())}</td><th scope="row">${title}</th><td>${severity}</td><td>${seen}</td></tr>`
}
