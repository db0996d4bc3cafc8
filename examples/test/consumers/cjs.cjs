const sdk = require('@support-chat/sdk')
const raw = require('@support-chat/sdk/raw')
const testing = require('@support-chat/sdk/testing')
const webhooks = require('@support-chat/sdk/webhooks')
const fetching = require('@support-chat/sdk/webhooks/fetch')
const node = require('@support-chat/sdk/webhooks/node')
const { check } = require('./checks.cjs')

check(sdk, raw, webhooks, node, fetching, testing)
