/** The behaviour of every store, in memory or in a file. */
import { describe } from 'vitest'
import { outboxContract } from './outbox-contract.ts'
import { revisionsContract } from './revisions-contract.ts'
import { stateContract } from './state-contract.ts'
import { type Make, World } from './world.ts'

export function storeContract(name: string, make: Make): void {
  describe(name, () => {
    const world = new World(make)
    stateContract(world)
    outboxContract(world)
    revisionsContract(world)
  })
}
