import { remarks } from './accepted.ts'
import { cluesIn } from './clues.ts'
import { findMistake } from './digests.ts'
import { isAboutSignature, laterRefusals } from './later.ts'
import { search } from './search.ts'
import type { Finding, Secret } from './types.ts'
import { judge, type Refusal, statusOf, type Trial, type Verdict } from './verdict.ts'

/** Why a delivery is accepted or refused. It contains no secret, no digest and no part of the body. */
export interface Diagnosis {
  /** `ok`, or the code of the verifier's error. */
  code: Verdict['code']
  /** The status that a receiver returns. */
  status: number
  findings: Finding[]
}

/** Verifies a delivery like a receiver, and finds the reason for a refusal. */
export async function diagnose(trial: Trial): Promise<Diagnosis> {
  const verdict = await judge(trial)
  const { code } = verdict
  const findings = code === 'ok' ? remarks(verdict, trial) : reasons(verdict, trial)
  return { code, status: statusOf(code), findings: await findings }
}

async function reasons(refusal: Refusal, trial: Trial): Promise<Finding[]> {
  const hint = { name: refusal.code, text: refusal.hint }
  if (refusal.code === 'missing_secret') return [hint, ...trial.secrets.flatMap(blank)]
  if (!isAboutSignature(refusal.code)) return [hint, ...(await laterRefusals(refusal, trial))]

  const match = await search(trial.delivery, trial.secrets)
  const causes = match?.findings ?? guesses(refusal, trial)
  const delivery = { ...trial.delivery, body: match?.body ?? trial.delivery.body }
  return [
    // The hint of a mismatch lists possible causes. Here the cause is searched instead.
    ...(refusal.code === 'signature_mismatch' ? [] : [hint]),
    ...causes,
    ...(await laterRefusals(refusal, { ...trial, delivery })),
  ]
}

/** The findings if no change made the signature match. */
function guesses({ code }: Refusal, { delivery, secrets }: Trial): Finding[] {
  const mistake = findMistake(delivery, secrets)
  if (mistake) return [mistake]
  return code === 'signature_mismatch' ? [...cluesIn(delivery.body), OTHER_SECRET] : []
}

const OTHER_SECRET: Finding = {
  name: 'other_secret',
  text: 'No common change of the body or the secret explains the mismatch. The secret probably belongs to another endpoint, or is an old one.',
}

function blank({ name, value }: Secret): Finding[] {
  return value.trim() === ''
    ? [{ name: 'secret_blank', text: `${name} is blank. Set it to the signing secret.` }]
    : []
}
