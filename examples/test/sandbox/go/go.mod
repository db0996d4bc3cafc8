module example.com/sandbox

go 1.24

require github.com/support-chat/support-chat/sdks/go v0.0.0

replace github.com/support-chat/support-chat/sdks/go => ../../../../sdks/go
