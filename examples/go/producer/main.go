// The producer seals each line of its input and sends it to an address. See README.md.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/Azure/go-amqp"

	"signet-example/envelope"
)

func main() {
	if err := produce(); err != nil {
		fmt.Fprintln(os.Stderr, "producer:", err)
		os.Exit(1)
	}
}

func produce() error {
	identity, err := envelope.ReadIdentity(os.Getenv("KEY"), os.Getenv("CERT"))
	if err != nil {
		return err
	}
	writer := envelope.Writer{Identity: identity, Quality: os.Getenv("QUALITY")}
	if writer.Quality != "integrity" {
		if writer.Recipients, err = envelope.ReadCertificates(os.Getenv("RECIPIENTS")); err != nil {
			return err
		}
	}
	address := os.Getenv("ADDRESS")
	limited, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	connection, err := amqp.Dial(limited, os.Getenv("BROKER"), nil)
	if err != nil {
		return err
	}
	defer func() { _ = connection.Close() }()
	session, err := connection.NewSession(limited, nil)
	if err != nil {
		return err
	}
	sender, err := session.NewSender(limited, address, &amqp.SenderOptions{TargetCapabilities: []string{"queue"}})
	if err != nil {
		return err
	}
	lines := bufio.NewReader(os.Stdin)
	for {
		line, end := lines.ReadString('\n')
		if line == "" {
			return nil
		}
		body, err := writer.Seal(address, "jms/text", "text/plain; charset=utf-8", []byte(strings.TrimSuffix(line, "\n")))
		if err != nil {
			return err
		}
		message := amqp.NewMessage(body)
		message.Header = &amqp.MessageHeader{Durable: true}
		message.Annotations = amqp.Annotations{"x-opt-jms-msg-type": int8(3)} // bytes, for consumers of JMS
		if err := sender.Send(limited, message, nil); err != nil {
			return err // such as a policy that the broker enforces
		}
		if end != nil {
			return nil
		}
	}
}
