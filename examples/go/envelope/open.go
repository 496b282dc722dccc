package envelope

import (
	"bytes"
	"maps"
	"strconv"
	"strings"

	"golang.org/x/crypto/cryptobyte"
)

const (
	maxBody     = 68_157_440 // an AMQP library gives the whole body in memory
	maxEnvelope = 2_097_152  // of several
	maxShort    = 16         // segments that are not full, and again behind each full one
)

// Reader opens messages for one identity, by one policy.
type Reader struct {
	Identity Identity
	Trust    Trust
	Quality  string // that the policy of the address requires
}

// Message is an opened message.
type Message struct {
	Header  map[string]string // by name in lower case
	Payload []byte
	Quality string
	Signer  string // subject of the proved signer or sender, "" under confidentiality
}

// Open opens the body of a message that was received from the address. The body is one envelope, or the segments of a
// large message one behind the other. Open returns all of the payload or none of it.
func (r *Reader) Open(body []byte, address string) (*Message, error) {
	if len(body) > maxBody {
		return nil, refuse("malformed", "more than %d bytes", maxBody)
	}
	start := body[:min(len(body), 20)]
	if !bytes.HasPrefix(start, []byte{0x30}) || !bytes.Contains(start, oidSignedData) && !bytes.Contains(start, oidAuthData) {
		return nil, refuse("unprotected", "the message is in clear")
	}
	var whole *Message
	rest, short, last := cryptobyte.String(body), 0, false
	for number := 1; !last; number++ {
		next := cursor{rest, new(bool)}
		envelope := next.element()
		rest = next.rest
		alone := number == 1 && len(rest) == 0
		if *next.failed || !alone && len(envelope) > maxEnvelope {
			return nil, refuse("malformed", "segment %d is missing, cut, too long or not in DER", number)
		}
		part, err := r.openOne(envelope, address)
		if err != nil {
			return nil, err
		}
		segment, large := part.Header["signet-segment"]
		if !large {
			if !alone {
				return nil, refuse("malformed", "bytes behind the envelope, or an envelope without a number among segments")
			}
			return part, part.decompress()
		}
		delete(part.Header, "signet-segment")
		if whole == nil {
			whole = &Message{part.Header, nil, part.Quality, part.Signer}
		}
		if short++; len(part.Payload) == maxSegment {
			short = 0
		}
		var text string
		text, last = strings.CutSuffix(segment, " last")
		switch {
		case text != strconv.Itoa(number) || last != (len(rest) == 0):
			return nil, refuse("malformed", "segment %q in place %d, or the last one is missing", segment, number)
		case part.Quality != whole.Quality || part.Signer != whole.Signer || !maps.Equal(part.Header, whole.Header):
			return nil, refuse("malformed", "segment %d is of another message", number)
		case len(part.Payload) > maxSegment || short > maxShort:
			return nil, refuse("malformed", "segment %d is too long, or there are too many short ones", number)
		}
		whole.Payload = append(whole.Payload, part.Payload...)
	}
	return whole, nil
}

// openOne opens one envelope by the rules of opening, in their order.
func (r *Reader) openOne(envelope []byte, address string) (*Message, error) {
	var entity []byte
	var sender *origin
	var err error
	quality, signer := "integrity", ""
	if bytes.Contains(envelope[:min(len(envelope), 20)], oidAuthData) {
		if entity, sender, err = r.decrypt(envelope); err != nil {
			return nil, err
		}
		switch {
		case !bytes.HasPrefix(entity, []byte(entityStart)):
			quality = "privacy" // verify checks all bytes of the other beginning
		case sender != nil && r.Quality == "authenticity":
			quality = "authenticity"
		default:
			quality = "confidentiality"
		}
	}
	if quality != r.Quality && quality != "privacy" {
		return nil, refuse("policy", "%s where %s is required", quality, r.Quality)
	}
	switch quality {
	case "integrity":
		entity, signer, err = r.verify(envelope)
	case "privacy":
		entity, signer, err = r.verify(entity)
	case "authenticity":
		signer, err = r.checkSender(sender)
	}
	if err != nil {
		return nil, err
	}
	values, payload, err := parseEntity(entity)
	if err != nil {
		return nil, err
	}
	if values["signet-address"] != address {
		return nil, refuse("address", "sealed for %q, received from %q", values["signet-address"], address)
	}
	return &Message{values, payload, quality, signer}, nil
}

func (m *Message) decompress() (err error) {
	if _, deflated := m.Header["signet-encoding"]; deflated {
		m.Payload, err = inflate(m.Payload)
	}
	return err
}
