import { type Driver, startDriver } from '../runner/driver.ts'
import type { Command } from '../runner/languages.ts'
import { play } from '../runner/run.ts'
import { differences, type Outcome, outcomeOf } from './outcome.ts'
import { type Scenario, scenarioOf } from './scenarios.ts'

/** A scenario in which clients differ. */
export interface Found {
  seed: number
  scenario: Scenario
  differences: Outcome
}

/** The clients that are compared, each with its driver. */
export class Clients {
  readonly #commands: ReadonlyMap<string, Command>
  readonly #drivers = new Map<string, Driver>()

  constructor(commands: ReadonlyMap<string, Command>) {
    this.#commands = commands
  }

  /** Plays the scenario of a seed in all clients. Resolves to null where they agree. */
  async compare(seed: number): Promise<Found | null> {
    const scenario = scenarioOf(seed)
    const names = [...this.#commands.keys()]
    const outcomes = await Promise.all(names.map((name) => this.#outcome(name, scenario)))
    const byName = Object.fromEntries(
      names.map((name, index) => [name, outcomes[index] as Outcome]),
    )
    const found = differences(byName, scenario.ignored)
    return Object.keys(found).length > 0 ? { seed, scenario, differences: found } : null
  }

  stop(): void {
    for (const driver of this.#drivers.values()) driver.stop()
  }

  /** The outcome of one client. A driver that ends is a difference too, and the next scenario has a new one. */
  async #outcome(name: string, scenario: Scenario): Promise<Outcome> {
    const driver = this.#drivers.get(name) ?? startDriver(this.#commands.get(name) as Command)
    this.#drivers.set(name, driver)
    try {
      return outcomeOf(await play(scenario, driver))
    } catch (error) {
      driver.stop()
      this.#drivers.delete(name)
      return { ended: String(error) }
    }
  }
}
