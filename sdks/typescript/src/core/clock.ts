/** Time and chance, in one place so that tests can fix them. */
export const clock = {
  now: (): number => Date.now(),

  random: (): number => Math.random(),

  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts. */
  sleep: (ms: number, signal?: AbortSignal | null): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}
