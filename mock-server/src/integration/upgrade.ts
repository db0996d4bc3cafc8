/** The step from one contract to another, as the checks of this folder see it. */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  type Change,
  compare,
  type Finding,
  type Kind,
  loadRevision,
  type Pair,
  pairOperations,
  partsOf,
  type Revision,
  Side,
  Unreadable,
} from '@support-chat/scripts/changes'
import { COMPARISON, CONTRACT, PREPARED } from '../assets.ts'
import { ContractError, loadCheckedContract } from '../contract/check.ts'
import { type Contract, readPrepared } from '../contract/load.ts'
import type { Comparison } from './comparison.ts'

/** An input that cannot be used. The message is for the user. */
export class UnusableInput extends Error {}

/** A change with the parts of both documents that it is about. */
export interface Known {
  change: Change
  part: Finding
}

/** One of the two contracts. */
export interface Version {
  /** As the user called it. */
  name: string
  contract: Contract
  revision: Revision
  side: Side
}

export interface Upgrade {
  before: Version
  after: Version
  /** The worst for users first, without changes of mere documentation. */
  changes: Known[]
  /** The operations that are in both. */
  pairs: Pair[]
}

/**
 * Reads two contracts and compares them.
 *
 * @param from Null for the contract of this package.
 * @throws {UnusableInput}
 */
export async function upgradeBetween(from: string | null, to: string): Promise<Upgrade> {
  const { platform, policy, catalogue }: Comparison = JSON.parse(readFileSync(COMPARISON, 'utf8'))
  const read = async (file: string | null): Promise<Version> => {
    if (file !== null && !existsSync(file)) {
      throw new UnusableInput(
        `${file} does not exist. Name a file with an OpenAPI 3.0 or 3.1 document.`,
      )
    }
    const path = file ?? fileURLToPath(CONTRACT)
    const surroundings = { root: process.cwd(), platform, policy }
    // One after the other, because both refuse what is no contract, each in its words.
    const contract =
      file === null
        ? await readPrepared(PREPARED, await readFile(CONTRACT, 'utf8'))
        : await loadCheckedContract(file)
    const revision = await loadRevision(path, surroundings)
    const name = file ?? 'the contract of this package'
    return { name, contract, revision, side: new Side(revision) }
  }
  try {
    const [before, after] = [await read(from), await read(to)]
    return { before, after, ...changesOf(before, after, catalogue) }
  } catch (error) {
    const isInput = error instanceof ContractError || error instanceof Unreadable
    throw isInput ? new UnusableInput(error.message) : error
  }
}

function changesOf(before: Version, after: Version, catalogue: readonly Kind[]) {
  const kinds = new Map(catalogue.map((kind) => [kind.id, kind]))
  const parts = partsOf(before.revision, after.revision)
  const changes = compare(before.revision, after.revision, kinds).flatMap((change) => {
    const part = parts.get(change.fingerprint)
    return part && change.class !== 'documentation' ? [{ change, part }] : []
  })
  return { changes, pairs: pairOperations(before.side, after.side) }
}
