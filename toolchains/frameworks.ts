import { load } from '../scripts/toolchain/packages.ts'

export type { NestExpressApplication } from '@nestjs/platform-express'
export type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda'

export const express4 = load<typeof import('express')>('express-4')
export const { fastify } = load<typeof import('fastify')>('fastify')
export const { fastify: fastify4 } = load<typeof import('fastify')>('fastify-4')
export const Koa = load<typeof import('koa')>('koa')
export const Koa2 = load<typeof import('koa')>('koa-2')
export const koaBodyparser = load<() => import('koa').Middleware>('koa-bodyparser')
export const { Hono } = load<typeof import('hono')>('hono')
export const honoNode = load<typeof import('@hono/node-server')>('@hono/node-server')
export const reactRouter = load<typeof import('react-router')>('react-router')

load('reflect-metadata')
/** The packages of one release of NestJS, which only accept each other. */
function nest(folder: string) {
  return {
    ...load<typeof import('@nestjs/common')>(`${folder}@nestjs/common`),
    ...load<typeof import('@nestjs/core')>(`${folder}@nestjs/core`),
    ...load<typeof import('@nestjs/platform-express')>(`${folder}@nestjs/platform-express`),
    ...load<typeof import('@nestjs/platform-fastify')>(`${folder}@nestjs/platform-fastify`),
  }
}

export type Nest = ReturnType<typeof nest>
export const nestjs = nest('')
export const nestjs10 = nest('older/node_modules/')
