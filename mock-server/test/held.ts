import type { Result } from '../src/delivery/sender.ts'
import type { Job } from '../src/store/types.ts'
import { OK } from './virtual.ts'

/** Receivers that respond only when a test says so. */
export function held() {
  const running: Array<{ job: Job; respond: (result?: Result) => void }> = []
  const waiting = new Map<() => void, number>()
  const send = (job: Job) =>
    new Promise<Result>((resolve) => {
      const one = {
        job,
        respond: (result = OK) => {
          running.splice(running.indexOf(one), 1)
          resolve(result)
        },
      }
      running.push(one)
      for (const [go, count] of waiting) if (running.length >= count) go()
    })
  /** Returns when that many run at once. */
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      if (running.length >= count) resolve()
      else waiting.set(resolve, count)
    })
  const respondToAll = (result = OK) => {
    for (const one of [...running]) one.respond(result)
  }
  return { running, send, until, respondToAll }
}
