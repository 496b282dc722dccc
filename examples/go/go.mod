module signet-example

go 1.25.0

require (
	github.com/Azure/go-amqp v1.7.0
	golang.org/x/crypto v0.54.0
)
