import * as sdk from '@support-chat/sdk'
import * as webhooks from '@support-chat/sdk/webhooks'
import { check } from './checks.cjs'

await check(sdk, webhooks)
