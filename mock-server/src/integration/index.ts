/** What a new contract breaks in an integration: lines of its programs, and recorded traffic. */
export { inWords, isClean, reportOf } from './report.ts'
export { checkSources } from './sources.ts'
export { checkTraffic } from './traffic.ts'
export { UnusableInput, upgradeBetween } from './upgrade.ts'
