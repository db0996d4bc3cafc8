import { APIError, type Problem, type Shop } from '@shop/sdk'

export async function call(client: Shop) {
  try {
    await client.errorFieldRenamedKept.get('ord_1', { page: 10 })
    return 'accepted'
  } catch (error) {
    if (!(error instanceof APIError)) throw error
    const problem = error.problem as Problem | null
    const value: string | undefined = problem?.detail
    return value
  }
}
