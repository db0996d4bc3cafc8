module github.com/support-chat/support-chat/sdks/go

go 1.24
