module github.com/support-chat/support-chat/bench

go 1.24

require (
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
	github.com/stripe/stripe-go/v84 v84.4.1
	github.com/support-chat/support-chat/sdks/go v0.0.0
)

replace github.com/support-chat/support-chat/sdks/go => ../../sdks/go
