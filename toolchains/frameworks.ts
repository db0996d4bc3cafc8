import { load } from '../scripts/toolchain/packages.ts'

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
export const { Module } = load<typeof import('@nestjs/common')>('@nestjs/common')
export const { NestFactory } = load<typeof import('@nestjs/core')>('@nestjs/core')
export const nestExpress = load<typeof import('@nestjs/platform-express')>(
  '@nestjs/platform-express',
)
export const nestFastify = load<typeof import('@nestjs/platform-fastify')>(
  '@nestjs/platform-fastify',
)
