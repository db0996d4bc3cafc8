import type { Job, Sandbox } from '../store/types.ts'

/** The deliveries of each sandbox that are claimed and not yet recorded, unless they were dropped. */
export class Claims {
  readonly #jobs = new Map<number, Set<Job>>()

  has(sandbox: number): boolean {
    return this.#jobs.has(sandbox)
  }

  /** Those of a sandbox, or of one endpoint of it. */
  of({ id }: Pick<Sandbox, 'id'>, endpoint?: string): Job[] {
    const jobs = [...(this.#jobs.get(id) ?? [])]
    return jobs.filter((job) => endpoint === undefined || job.endpoint.id === endpoint)
  }

  owns(job: Job): boolean {
    return this.#jobs.get(job.sandbox.id)?.has(job) === true
  }

  add(job: Job): void {
    const { id } = job.sandbox
    const jobs = this.#jobs.get(id) ?? new Set()
    this.#jobs.set(id, jobs.add(job))
  }

  delete(job: Job): void {
    const { id } = job.sandbox
    const jobs = this.#jobs.get(id)
    jobs?.delete(job)
    if (jobs?.size === 0) this.#jobs.delete(id)
  }
}
