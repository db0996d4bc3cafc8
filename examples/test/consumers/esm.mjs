import * as sdk from '@support-chat/sdk'
import * as raw from '@support-chat/sdk/raw'
import * as testing from '@support-chat/sdk/testing'
import * as webhooks from '@support-chat/sdk/webhooks'
import * as fetching from '@support-chat/sdk/webhooks/fetch'
import * as node from '@support-chat/sdk/webhooks/node'
import { check } from './checks.cjs'

await check(sdk, raw, webhooks, node, fetching, testing)
