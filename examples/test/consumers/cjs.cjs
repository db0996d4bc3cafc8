const sdk = require('@support-chat/sdk')
const webhooks = require('@support-chat/sdk/webhooks')
const { check } = require('./checks.cjs')

check(sdk, webhooks)
