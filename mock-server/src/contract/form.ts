/** The form that the contract gives to something that the server makes. */
import { isDeepStrictEqual } from 'node:util'
import type { Reason } from '../door/problem.ts'
import type { Description } from './document.ts'
import { Validators } from './drift.ts'
import { type Deviation, project, restore } from './projection.ts'
import { type Shape, Shapes } from './shape.ts'

/** A deviation, with the operation or the event that it belongs to. */
export interface Reported extends Deviation {
  where: string
}

/** Collects deviations, each once. */
export class Report {
  readonly #known = new Map<string, Reported>()
  readonly #onNew: (reported: Reported) => void

  /** @param onNew Is called for every deviation that was not reported before. */
  constructor(onNew: (reported: Reported) => void = () => {}) {
    this.#onNew = onNew
  }

  add(reported: Reported): void {
    const { where, field, action } = reported
    const key = JSON.stringify([where, field, action])
    if (this.#known.has(key)) return
    this.#known.set(key, reported)
    this.#onNew(reported)
  }

  get all(): readonly Reported[] {
    return [...this.#known.values()]
  }
}

/** What forms need of their contract. */
export interface Forms {
  description: Description
  shapes: Shapes
  validators: Validators
  report: Report
  /** The names of the forms that leave everything as it is. */
  proven: ReadonlySet<string>
}

/** @param onNew Is called for every deviation, once. */
export function formsOf(
  { description, proven }: Pick<Forms, 'description' | 'proven'>,
  onNew?: (reported: Reported) => void,
): Forms {
  return {
    description,
    shapes: new Shapes((node) => description.resolve(node)),
    validators: new Validators(description),
    report: new Report(onNew),
    proven,
  }
}

export class Form {
  /** The operation or the event. */
  readonly name: string
  readonly shape: Shape
  readonly examples: readonly unknown[]
  readonly #report: Report
  #isIdentity: boolean

  constructor(name: string, shape: Shape, examples: readonly unknown[], { report, proven }: Forms) {
    this.name = name
    this.shape = shape
    this.examples = examples
    this.#report = report
    this.#isIdentity = proven.has(name)
  }

  /** Whether everything that was tried stays as it is. */
  get isIdentity(): boolean {
    return this.#isIdentity
  }

  /** A value in this form. */
  of(value: unknown): unknown {
    return this.#isIdentity ? value : this.#project(value)
  }

  /** The same for JSON text, which is not parsed where it stays as it is. */
  text(json: string): string {
    return this.#isIdentity ? json : JSON.stringify(this.#project(JSON.parse(json)))
  }

  /** A value of the contract as the server knows it. */
  restore(value: unknown): unknown {
    return this.#isIdentity ? value : restore(this.shape, value)
  }

  /**
   * Tries the form with a sample of everything that the server makes, so that nothing needs to be
   * projected later where all of it stays as it is.
   *
   * @param reasons Finds why a projected sample is invalid.
   * @returns why the form cannot be used, or null if it can.
   */
  prove(
    samples: readonly unknown[],
    reasons: (value: unknown) => Reason[] = () => [],
  ): string | null {
    if (this.#isIdentity) return null
    let isIdentity = true
    for (const sample of samples) {
      const projected = this.#project(sample)
      isIdentity &&= isDeepStrictEqual(projected, sample)
      const [reason] = reasons(projected)
      if (reason) return `${reason.pointer || 'the whole'} ${reason.message}`
    }
    this.#isIdentity = isIdentity
    return null
  }

  #project(value: unknown): unknown {
    return project(this.shape, value, this.examples, (deviation) =>
      this.#report.add({ where: this.name, ...deviation }),
    )
  }
}
