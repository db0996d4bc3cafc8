import { spawnSync } from 'node:child_process'
import { programs } from '../toolchain/services.ts'
import { freePort, type Service, start } from './service.ts'

/** Starts a Redis that keeps nothing. */
export async function startRedis(folder: string): Promise<Service> {
  const port = await freePort()
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const server = programs['redis-server']
  const cli = server.replace(/redis-server(?=[^/]*$)/, 'redis-cli')
  const isReady = () =>
    spawnSync(cli, ['-p', `${port}`, 'ping'])
      .stdout?.toString()
      .trim() === 'PONG'
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: await start(server, args, isReady, { stopSignal: 'SIGTERM' }),
  }
}
