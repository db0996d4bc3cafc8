/** Processes each item. Keeps those that fail. */
export async function drain<T>(
  todo: Map<number, T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (const [key, item] of todo) {
    todo.delete(key)
    try {
      await work(item)
    } catch (error) {
      todo.set(key, item)
      throw error
    }
  }
}
