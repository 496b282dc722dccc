// The consumer receives a number of messages from an address, opens them and prints their texts. See README.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/Azure/go-amqp"

	"signet-example/envelope"
)

func main() {
	if err := consume(); err != nil {
		fmt.Fprintln(os.Stderr, "consumer:", err)
		os.Exit(1)
	}
}

func consume() error {
	identity, err := envelope.ReadIdentity(os.Getenv("KEY"), os.Getenv("CERT"))
	if err != nil {
		return err
	}
	trusted, err := envelope.ReadCertificates(os.Getenv("CA"))
	if err != nil {
		return err
	}
	reader := envelope.Reader{Identity: identity, Quality: os.Getenv("QUALITY"),
		Trust: envelope.Trust{Certs: trusted, Signer: os.Getenv("SIGNER"), Now: time.Now}}
	if reader.Trust.Signer == "" && reader.Quality != "confidentiality" {
		return errors.New("SIGNER is not set: the subject of the signer, such as CN=broker,O=Example")
	}
	count, err := strconv.Atoi(os.Getenv("COUNT"))
	if err != nil {
		return fmt.Errorf("COUNT: how many messages? %w", err)
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
	receiver, err := session.NewReceiver(limited, address, &amqp.ReceiverOptions{SourceCapabilities: []string{"queue"}})
	if err != nil {
		return err
	}
	failed := 0
	for range count {
		message, err := receiver.Receive(limited, nil)
		if err != nil {
			return err
		}
		opened, err := reader.Open(message.GetData(), address)
		if err == nil && opened.Header["signet-body"] != "jms/text" {
			err = fmt.Errorf("a body of kind %q, which this program does not print", opened.Header["signet-body"])
		}
		if err != nil { // the broker delivers it again, and moves it to the dead letters in the end
			fmt.Fprintln(os.Stderr, "consumer: not opened:", err)
			failed++
			if err := receiver.ModifyMessage(limited, message, &amqp.ModifyMessageOptions{DeliveryFailed: true, UndeliverableHere: true}); err != nil {
				return err
			}
			continue
		}
		fmt.Printf("%s %q %s\n", opened.Quality, opened.Signer, opened.Payload)
		if err := receiver.AcceptMessage(limited, message); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d messages were not opened", failed)
	}
	return nil
}
