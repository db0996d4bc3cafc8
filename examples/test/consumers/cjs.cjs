const sdk = require('@support-chat/sdk')
const testing = require('@support-chat/sdk/testing')
const webhooks = require('@support-chat/sdk/webhooks')
const fetching = require('@support-chat/sdk/webhooks/fetch')
const node = require('@support-chat/sdk/webhooks/node')
const { check } = require('./checks.cjs')

check(sdk, webhooks, node, fetching, testing)
